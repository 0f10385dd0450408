import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '../../run.ts';

const FOLDERS = 20;
const FILES = 20;
const LINES = 50;

/** A repository of 400 files and one commit, packed as a clone is. */
export function makeRepository(home: string): string {
  const root = realpathSync(mkdtempSync(join(home, 'repository-')));
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(root, `folder-${folder}`));
    for (let file = 0; file < FILES; file += 1) {
      const line = (_: unknown, number: number) => `${folder} ${file} ${number}: as in any file`;
      const text = `${Array.from({ length: LINES }, line).join('\n')}\n`;
      writeFileSync(join(root, `folder-${folder}`, `file-${file}.txt`), text);
    }
  }
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: environment(home), encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  // Whoever has none has each commit tried twice.
  git('config', 'user.name', 'Bench');
  git('config', 'user.email', 'bench@localhost');
  git('add', '-A');
  git('commit', '-q', '-m', 'Everything');
  git('gc', '-q');
  return root;
}
