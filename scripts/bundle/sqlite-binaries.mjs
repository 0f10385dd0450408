import { cpSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const prebuilds = path.join(root, 'node_modules/@photostructure/sqlite/prebuilds');

/**
 * The SQLite for a Node.js whose own is missing or too old: a binary for each platform beside the
 * program, so that nothing has to be installed or compiled.
 */
export function copyBinaries(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(prebuilds, '../LICENSE'), path.join(folder, 'LICENSE'));
  for (const platform of readdirSync(prebuilds)) {
    for (const file of readdirSync(path.join(prebuilds, platform))) {
      const libc = file.includes('.musl.') ? 'musl' : 'glibc';
      const target = path.join(folder, `${platform}.${libc}.node`);
      const source = path.join(prebuilds, platform, file);
      // A process may be using it: only if it is another one, and in one step.
      const { size } = statSync(source);
      if (statSync(target, { throwIfNoEntry: false })?.size === size) continue;
      cpSync(source, `${target}.${process.pid}`);
      renameSync(`${target}.${process.pid}`, target);
    }
  }
}
