import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localCommands } from '../src/index.ts';
import { sandbox } from './sandbox.ts';

test("commands of the repository's own settings are reported, the user's are not", async () => {
  using box = sandbox('[filter "lfs"]\n\tsmudge = git-lfs smudge\n[merge "mine"]\n\tdriver = x\n');
  const repo = await box.repository();
  expect(await localCommands(repo, box.call)).toEqual([]);
  const set = (name: string, value: string) => box.git(repo.root, 'config', name, value);
  set('filter.Evil "one".smudge', 'touch C');
  set('filter.x.clean', 'a\nb');
  set('filter.x.required', 'true');
  set('merge.y.driver', 'touch %A');
  set('merge.y.name', 'harmless');
  set('core.sshCommand', 'ssh -i key');
  writeFileSync(path.join(repo.gitDir, 'more'), '[filter "z"]\n\tprocess = run\n');
  set('include.path', 'more');
  set('extensions.worktreeConfig', 'true');
  writeFileSync(path.join(repo.gitDir, 'config.worktree'), '[filter "w"]\n\tclean = own\n');
  expect(await localCommands(repo, box.call)).toEqual([
    { name: 'filter.Evil "one".smudge', value: 'touch C' },
    { name: 'filter.w.clean', value: 'own' },
    { name: 'filter.x.clean', value: 'a\nb' },
    { name: 'filter.z.process', value: 'run' },
    { name: 'merge.y.driver', value: 'touch %A' },
  ]);
});

test('a partial clone fetches whenever it reads: what that runs is reported too', async () => {
  using box = sandbox();
  const repo = await box.repository();
  box.git(repo.root, 'config', 'remote.origin.uploadpack', 'touch C');
  box.git(repo.root, 'config', 'core.sshCommand', 'touch D');
  expect(await localCommands(repo, box.call)).toEqual([]);
  box.git(repo.root, 'config', 'remote.origin.promisor', 'true');
  expect(await localCommands(repo, box.call)).toEqual([
    { name: 'core.sshcommand', value: 'touch D' },
    { name: 'remote.origin.uploadpack', value: 'touch C' },
  ]);
});
