import { describe, expect, test } from 'vitest';
import { fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { workspaceWays } from '../workspace-ways.ts';
import { heard, read, subscribe } from './asking.ts';

const URI = 'baton://knowledge/guide/walrus';
const FILE = '.baton/knowledge/walrus.md';

describe.each(workspaceWays)('a piece over $name', ({ era, open }) => {
  test(`${cites('KNOWLEDGE-URIS', 'RESOURCES-SUBSCRIBE')} tells its subscribers when it changes, and nothing else does`, async () => {
    await using workspace = fileWorkspace({ [FILE]: '# Walrus\n\nEats clams.\n' });
    await using peer = await open(workspace);
    await subscribe(peer, era, URI);
    for (const food of ['crabs', 'worms', 'snails']) {
      const before = heard(peer).length;
      workspace.write('.baton/knowledge/other.md', `# Other\n\nEats ${food}.\n`);
      workspace.write(FILE, `# Walrus\n\nEats ${food}.\n`);
      await expect.poll(() => heard(peer).length, { timeout: 30_000 }).toBe(before + 1);
      expect((await read(peer, URI)).text).toContain(`Eats ${food}.`);
    }
    expect(new Set(heard(peer))).toEqual(new Set([URI]));
  });
});
