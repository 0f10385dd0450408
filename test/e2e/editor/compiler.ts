import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import vm from 'node:vm';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../../..');
const native = `@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`;

/** TypeScript's own compiler, as it is installed for the project. */
const tsc = path.join(root, 'node_modules', native);

/** What the compiler says of a project or, given a folder, of one with those that it refers to. */
export async function diagnosticsOf(folder: string, config = 'tsconfig.json'): Promise<string[]> {
  const what = config.endsWith('.json') ? ['--noEmit', '-p', config] : ['-b', config];
  const child = spawn(tsc, [...what, '--pretty', 'false'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return (await text(child.stdout)).split('\n').filter(Boolean);
}

/** Bundles a file with all that it imports, and runs it: it may `ensure` things. */
export async function runTests(folder: string, entry: string): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [path.join(folder, entry)],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    logLevel: 'silent',
    loader: { '.css': 'text', '.png': 'dataurl', '.svg': 'text' },
  });
  const [bundled] = outputFiles;
  if (!bundled) throw new Error(`nothing was bundled of ${entry}`);
  const module = { exports: {} };
  let isEnsured = false;
  const ensure = (isRight: boolean) => {
    if (!isRight) throw new Error(`${entry} finds something that is not as it was`);
    isEnsured = true;
  };
  await vm.runInNewContext(bundled.text, { module, exports: module.exports, ensure });
  if (!isEnsured) throw new Error(`${entry} has ensured nothing`);
}
