import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder of its own, removed when the test (or the scope of `using`) is over. */
export function temporaryFolder(): { readonly path: string; [Symbol.dispose](): void } {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'baton-test-')));
  return {
    path: folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
