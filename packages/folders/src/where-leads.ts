import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

const MAX_LINKS = 40;
/** No system opens a longer one. */
const MAX_PATH = 32 * 1024;

/** Where a path leads, also by links to nothing; what is missing counts as written. */
export function whereLeads(file: string, links = 0): string {
  if (file.length > MAX_PATH) return file;
  try {
    return realpathSync(file);
  } catch {
    const folder = path.dirname(file);
    if (folder === file) return file;
    const parent = whereLeads(folder, links);
    const here = path.join(parent, path.basename(file));
    const target = links < MAX_LINKS ? targetOf(here) : undefined;
    return target === undefined ? here : whereLeads(path.resolve(parent, target), links + 1);
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined; // Not a link.
  }
}
