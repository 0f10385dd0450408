import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Not among the dependencies of the project: only these tests need them.
const PACKAGES = {
  effect: '4.1.0',
  pyright: '1.1.414',
  rxjs: '7.8.2',
  typescript: '6.0.3',
  zod: '4.6.7',
};

export const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache/baton/editor');

/** The folder of one of them. */
export function installed(name: keyof typeof PACKAGES): string {
  return path.join(cache, 'node_modules', name);
}

/** Fetches them once; later runs need no network. */
export function install(): void {
  // Written last, so that half an installation is none.
  const mark = path.join(cache, 'installed.json');
  const wanted = JSON.stringify(PACKAGES);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  writeFileSync(path.join(cache, 'package.json'), '{}');
  const specs = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  const options = ['--ignore-scripts', '--save-exact', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', '--prefix', cache, ...options, ...specs], {
    cwd: cache,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`the sources could not be installed in ${cache}`);
  writeFileSync(mark, wanted);
}
