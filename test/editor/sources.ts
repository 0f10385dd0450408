import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { cache, installed } from './install.ts';

const OPTIONS = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['es2022', 'dom'],
};

const SOURCES = {
  effect: { allowImportingTsExtensions: true },
  rxjs: {},
  zod: {},
} as const;

export type Source = keyof typeof SOURCES;

/** What needs test runners that are not installed. */
const TESTS = /(^|\/)(tests?|benchmarks?|internal-playground)(\/|$)|\.(test|spec)\./;

/** The sources of a package as a project of its own. */
export function copySources(name: Source, folder: string): void {
  const src = path.join(installed(name), 'src');
  cpSync(src, path.join(folder, 'src'), {
    recursive: true,
    filter: (file) => !TESTS.test(path.relative(src, file)),
  });
  const compilerOptions = { ...OPTIONS, ...SOURCES[name] };
  const config = { compilerOptions, include: ['src/**/*.ts'] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
}

const root = path.resolve(import.meta.dirname, '../..');
const native = `@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`;
const tsc = path.join(root, 'node_modules', native);

/** What the compiler says of a project: its codes, by file, without places and names. */
export async function diagnosticsOf(folder: string): Promise<string[]> {
  const args = ['--noEmit', '--pretty', 'false', '-p', '.'];
  const child = spawn(tsc, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const found = (await text(child.stdout)).matchAll(/^(\S.*)\(\d+,\d+\): (error TS\d+)/gm);
  return [...found].map(([, file, code]) => `${file} ${code}`).sort();
}

/** The same for the sources as they were published: that takes long, and stays as it is. */
export async function diagnosticsOfSources(name: Source, folder: string): Promise<string[]> {
  const version = JSON.parse(
    readFileSync(path.join(installed(name), 'package.json'), 'utf8'),
  ).version;
  const typescript = path.join(root, 'node_modules/typescript/package.json');
  const compiler = JSON.parse(readFileSync(typescript, 'utf8')).version;
  const file = path.join(cache, `diagnostics-${name}-${version}-${compiler}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const found = await diagnosticsOf(folder);
  writeFileSync(file, JSON.stringify(found));
  return found;
}
