import { execFileSync } from 'node:child_process';
import type { StartOptions } from './peer.ts';

const HAS_OWN_SQLITE = `
  const [major, minor, patch] = (process.versions.sqlite ?? '0.0.0').split('.').map(Number);
  process.exitCode = major > 3 || minor > 51 || (minor === 51 && patch >= 3) ? 0 : 1;`;

function hasOwnSqlite(node: string): boolean {
  try {
    execFileSync(node, ['--eval', HAS_OWN_SQLITE], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const newer = [process.execPath, process.env['BATON_TEST_NODE'] ?? ''].find(
  (node) => node !== '' && hasOwnSqlite(node),
);

/** How to start a peer with each of the two libraries; nothing where there is only one. */
export const mixedLibraries: readonly Pick<StartOptions, 'binding' | 'command'>[] | undefined =
  newer === undefined
    ? undefined
    : [
        { binding: 'node:sqlite', command: [newer] },
        { binding: '@photostructure/sqlite', command: [process.execPath] },
      ];
