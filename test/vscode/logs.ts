import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The log files below a folder, by their paths in it. */
export function logFiles(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.log'))
    .map((file) => [file, readFileSync(path.join(folder, file), 'utf8')] as const);
  return new Map(files);
}
