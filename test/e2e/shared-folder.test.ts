import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startProgram, temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { program } from './programs.ts';
import { cites } from './requirements.ts';

const NOBODY = 65_534;

/** A folder with a `.baton` that another user has put there, and a folder of ours in it. */
function plant(shared: string): string {
  for (const name of ['.baton/knowledge', '.baton/data', 'mine'])
    mkdirSync(path.join(shared, name), { recursive: true });
  for (const [name, text] of [
    ['.baton/config.yaml', 'withoutTools: [plan_create]\n'],
    ['.baton/knowledge/evil.md', '# Evil\n\nwombat\n'],
    ['.baton/data/evil.csv', 'id\n1\n'],
  ] as const)
    writeFileSync(path.join(shared, name), text);
  for (const name of ['', '.baton', '.baton/config.yaml', '.baton/knowledge', '.baton/data'])
    chownSync(path.join(shared, name), NOBODY, NOBODY);
  return path.join(shared, 'mine');
}

test.runIf(process.getuid?.() === 0)(
  `${cites('T54')} another user's .baton is not used, which is said, unless its folder is named`,
  async () => {
    using folder = temporaryFolder();
    const shared = path.join(folder.path, 'shared');
    const cwd = plant(shared);
    const said = `Not used: ${path.join(shared, '.baton')} `;
    await using running = startProgram(program, { cwd });
    const { result } = await running.request(1, 'tools/call', { name: 'status', arguments: {} });
    expect(result.structuredContent).toMatchObject({
      workspace: { path: cwd, foundBy: 'folder' },
      warnings: [expect.stringContaining(said)],
    });
    expect(running.stderr).toContain(said);
    await running.end();

    const baton = (at: string, ...args: string[]) =>
      spawnSync(process.execPath, [program, ...args], {
        cwd: at,
        env: { PATH: process.env.PATH, HOME: path.join(folder.path, 'home') },
        encoding: 'utf8',
      });
    const searched = baton(shared, 'knowledge', 'search', 'wombat');
    expect(searched.stderr).toContain(`baton: warning: ${said}`);
    expect(searched.stdout).not.toContain('Evil');
    expect(baton(shared, 'data', 'describe').stdout).not.toContain('evil');
    expect(baton(shared, 'tools').stdout).toContain('plan_create');

    const named = (...args: string[]) => baton(cwd, ...args, '--workspace', shared);
    expect(named('knowledge', 'search', 'wombat').stdout).toContain('Evil');
    expect(named('data', 'describe').stdout).toContain('evil');
    expect(named('tools')).toMatchObject({
      stderr: '',
      stdout: expect.not.stringContaining('plan_create'),
    });
  },
);
