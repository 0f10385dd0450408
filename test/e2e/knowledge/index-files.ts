import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const FOLDER = 'knowledge';

/** Indexes that processes keep in their state folder. */
export function indexFiles(state: string): string[] {
  return filesIn(state).filter((file) => file.endsWith('.index'));
}

/** Files on the way to becoming an index. */
export function unfinishedFiles(state: string): string[] {
  return filesIn(state).filter((file) => !file.endsWith('.index'));
}

export function theIndex(state: string): string {
  const [file, ...others] = indexFiles(state);
  if (file === undefined || others.length > 0) throw new Error(`${others.length} other indexes`);
  return file;
}

function filesIn(state: string): string[] {
  const folder = path.join(state, FOLDER);
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}
