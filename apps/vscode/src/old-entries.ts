import { readFile, stat } from 'node:fs/promises';
import { type ParseError, parse } from 'jsonc-parser';

/** The port that the extensions before Baton listened on, without a token. */
const OLD_ADDRESS = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\]):39219(\/|$)/i;

interface Entry {
  readonly url?: unknown;
  readonly headers?: unknown;
}

const MAX_BYTES = 1024 * 1024;

/** In a file that may not be there, and in a repository may be anything. */
export async function oldEntriesIn(file: string): Promise<string[]> {
  const about = await stat(file).catch(() => undefined);
  // Reading a pipe would never end.
  if (!about?.isFile() || about.size > MAX_BYTES) return [];
  return oldEntries(await readFile(file, 'utf8').catch(() => ''));
}

/** The names of servers in a `mcp.json` that can no longer work: an address, and no token for it. */
export function oldEntries(text: string): string[] {
  const errors: ParseError[] = [];
  const config: unknown = parse(text, errors, { allowTrailingComma: true });
  return ['servers', 'mcpServers'].flatMap((list) =>
    Object.entries(childOf(config, list))
      .filter(([, entry]) => isOld(entry))
      .map(([name]) => name),
  );
}

function childOf(value: unknown, key: string): object {
  const child = isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
  return isObject(child) ? child : {};
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isOld(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const { url, headers } = entry as Entry;
  if (typeof url !== 'string' || !OLD_ADDRESS.test(url)) return false;
  const names = isObject(headers) ? Object.keys(headers) : [];
  return !names.some((name) => name.toLowerCase() === 'authorization');
}
