import { describe, expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import type { Peer, Way } from '../ways.ts';
import { read } from './asking.ts';
import { knowledgeWays } from './knowledge-ways.ts';
import { knowledgeWorkspace } from './knowledge-workspace.ts';

const URI = 'baton://knowledge/guide/walrus';
const FILE = '.baton/knowledge/walrus.md';

function heard(peer: Peer): string[] {
  return peer.notifications
    .filter(({ method }) => method === 'notifications/resources/updated')
    .map(({ params }) => params.uri);
}

async function subscribe(peer: Peer, era: Way['era']): Promise<void> {
  if (era === 'modern') await peer.listen({ resourceSubscriptions: [URI] });
  else await peer.request('resources/subscribe', { uri: URI });
  // The first one tells that the watch has begun.
  await expect.poll(() => heard(peer), { timeout: 30_000 }).toContain(URI);
}

describe.each(knowledgeWays)('a piece over $name', ({ era, open }) => {
  test(`${cites('KNOWLEDGE-URIS', 'RESOURCES-SUBSCRIBE')} tells its subscribers when it changes, and nothing else does`, async () => {
    await using workspace = knowledgeWorkspace({ [FILE]: '# Walrus\n\nEats clams.\n' });
    await using peer = await open(workspace);
    await subscribe(peer, era);
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
