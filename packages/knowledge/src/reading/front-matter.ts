import {
  type PlacedProblem,
  readLooseFrontMatter,
  withoutFrontMatter,
} from '@baton/documents/front-matter';

export interface Head {
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly PlacedProblem[];
  readonly body: string;
  /** The line that a name stands on, or the first. */
  lineOf(name: string): number;
}

/** Nobody writes more, and to read YAML takes long. */
const LONGEST_SOURCE = 16_384;

/** A text without its front matter, with the line breaks of Markdown. */
export function bodyOf(text: string): string {
  return withUsualBreaks(withoutFrontMatter(text));
}

/** The front matter of a file. What is no YAML is read line by line: people write such files. */
export async function readHead(text: string): Promise<Head> {
  if (text.length - withoutFrontMatter(text).length > LONGEST_SOURCE) return tooLong(text);
  const { data, source = '', problems, body } = await readLooseFrontMatter(text);
  const head = {
    body: withUsualBreaks(body),
    lineOf: (name: string) => lineOf(source, name),
    problems,
  };
  if (isRecord(data)) return { ...head, values: new Map(Object.entries(data)) };
  if (data === undefined) return { ...head, values: readLines(source) };
  const message = 'The front matter must be a list of names and values, such as `title: …`.';
  return {
    ...head,
    values: new Map(),
    problems: [...problems, { line: 2, column: 1, message }],
  };
}

function tooLong(text: string): Head {
  const message = 'The front matter is longer than 16 KiB: nothing of it is read.';
  return {
    values: new Map(),
    problems: [{ line: 1, column: 1, message }],
    body: bodyOf(text),
    lineOf: () => 1,
  };
}

function withUsualBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function lineOf(source: string, name: string): number {
  const place = source.split('\n').findIndex((line) => line.startsWith(`${name}:`));
  return place < 0 ? 1 : place + 2; // The mark that opens it is the first.
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const KEY = /^([A-Za-z][\w-]*):(?=\s|$)(.*)$/;
const ITEM = /^\s*-\s(.*)$/;

/** `name: value`, values over several lines, and lists: whatever the values hold. */
function readLines(source: string): Map<string, unknown> {
  const values = new Map<string, unknown>();
  let key: string | undefined;
  for (const line of source.split(/\r?\n/)) {
    const [, name, value = ''] = KEY.exec(line) ?? [];
    if (name !== undefined) {
      key = name;
      values.set(name, plainValue(value.trim()));
    } else if (key !== undefined) values.set(key, continued(values.get(key), line));
  }
  return values;
}

/** A value with another line of it. */
function continued(value: unknown, line: string): unknown {
  const item = value === '' || Array.isArray(value) ? ITEM.exec(line)?.[1] : undefined;
  if (item !== undefined) return [...(Array.isArray(value) ? value : []), unquoted(item.trim())];
  return typeof value === 'string' ? `${value} ${line.trim()}`.trim() : value;
}

function plainValue(value: string): unknown {
  if (/^[|>][+-]?$/.test(value)) return '';
  const list = /^\[(.*)\]$/.exec(value)?.[1];
  return list === undefined ? unquoted(value) : list.split(',').map((one) => unquoted(one.trim()));
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
}
