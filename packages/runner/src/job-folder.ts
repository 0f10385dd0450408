import { realpathSync } from 'node:fs';
import path from 'node:path';

/** The folder that a job runs in; `undefined` if it is not there or leads out of the workspace. */
export function jobFolder(workspace: string, cwd: string | undefined): string | undefined {
  try {
    const inside = realpathSync.native(workspace);
    const folder = cwd === undefined ? inside : realpathSync.native(path.join(inside, cwd));
    return folder === inside || folder.startsWith(`${inside}${path.sep}`) ? folder : undefined;
  } catch {
    return undefined;
  }
}
