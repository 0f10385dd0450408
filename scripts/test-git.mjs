// Runs the tests of git with a current one: it reads settings, and runs programs by them, that the
// machine's own may not know.
import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentGit } from './current-git.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
/** The first with hooks in its configuration: with an older one this would show nothing. */
const WANTED = [2, 54];
const TESTS = ['packages/git/', 'test/e2e/plans/git/', 'test/e2e/plans/hostile-repository'];
// What is about workers and schedules, and takes long.
const BESIDES = ['many', 'crashes', 'random-history'].map((name) => `**/${name}.test.ts`);

const env = { ...process.env, PATH: `${currentGit()}${path.delimiter}${process.env.PATH}` };
const version = execFileSync('git', ['--version'], { env, encoding: 'utf8' });
process.stdout.write(version);
const [major = 0, minor = 0] = (/\d+\.\d+/.exec(version)?.[0] ?? '').split('.').map(Number);
if (major < WANTED[0] || (major === WANTED[0] && minor < WANTED[1])) {
  throw new Error(`That is too old: ${WANTED.join('.')} or later is needed here.`);
}
const chosen = [...TESTS, ...BESIDES.flatMap((pattern) => ['--exclude', pattern])];
const child = spawn(process.execPath, [vitest, 'run', ...chosen, ...process.argv.slice(2)], {
  cwd: root,
  env,
  stdio: 'inherit',
});
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
