import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Files by their path, with each byte as a character: what is the same is so byte by byte. */
export type Contents = Readonly<Record<string, string>>;

/** All of a folder but installed packages and what git keeps. */
export function contentsOf(folder: string): Contents {
  const found: Record<string, string> = {};
  const todo = [''];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    for (const name of readdirSync(path.join(folder, at)).sort()) {
      const file = path.posix.join(at, name);
      const full = path.join(folder, file);
      const stat = lstatSync(full);
      if (stat.isDirectory() && !['node_modules', '.git'].includes(name)) todo.push(file);
      else if (stat.isFile()) found[file] = readFileSync(full, 'latin1');
      else if (stat.isSymbolicLink()) found[file] = `→ ${readlinkSync(full)}`;
    }
  }
  return found;
}

/**
 * The lines that are not as before, and the files that are elsewhere. Throws if anything else
 * happened: edits of references leave the number of lines as it is.
 */
export function changesBetween(before: Contents, after: Contents): string {
  const gone = Object.keys(before).filter((file) => !(file in after));
  const come = Object.keys(after).filter((file) => !(file in before));
  const moved = new Map(come.sort().map((file, index) => [file, gone.sort()[index] ?? file]));
  if (gone.length !== come.length) throw new Error(`gone: ${gone}; come: ${come}`);
  const lines = [...moved].map(([to, from]) => `${from} → ${to}`);
  for (const file of Object.keys(after).sort()) {
    const old = (before[moved.get(file) ?? file] ?? '').split('\n');
    const now = (after[file] ?? '').split('\n');
    if (old.length !== now.length) throw new Error(`${file} has another number of lines`);
    for (const [index, line] of now.entries())
      if (line !== old[index]) lines.push(`${file}:${index + 1} ${text(line)}`);
  }
  return lines.join('\n');
}

function text(line: string): string {
  return Buffer.from(line, 'latin1').toString('utf8').trim();
}
