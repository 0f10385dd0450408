import { statSync } from 'node:fs';
import path from 'node:path';

/** What package managers write last of all. */
const RECORDS = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml', '.yarn-integrity'];

/** Another whenever packages were installed or removed. */
export function packagesStamp(root: string): string {
  return RECORDS.map((name) => {
    const file = path.join(root, 'node_modules', name);
    return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }).join(':');
}
