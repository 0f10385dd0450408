export { DiskChanges, type DiskChangesOptions } from '../src/disk/disk-changes.ts';
export { isPlain } from '../src/disk/paths.ts';
export { patiently } from '../src/disk/patiently.ts';
export type { Point } from '../src/disk/points.ts';
export { WorkspaceFiles } from '../src/disk/workspace-files.ts';
export type { Change, FileWrite, Move } from '../src/edits/changing.ts';
