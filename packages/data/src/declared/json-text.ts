import type { Path } from './place.ts';

/** JSON with where everything in it stands. */
export interface JsonText {
  readonly value: unknown;
  /** Keys that an object has twice: only the last counts. */
  readonly repeated: readonly Path[];
  /** The line of the value at a path, or of its key; of what is not there, that of what holds it. */
  lineOf(path: Path, isKey?: boolean): number;
}

export interface JsonFault {
  readonly line: number;
  readonly message: string;
}

interface Node {
  readonly offset: number;
  readonly children: ReadonlyMap<string | number, Child>;
}

interface Child {
  readonly offset: number;
  readonly node: Node;
}

interface Token {
  readonly offset: number;
  /** Empty at the end of the text. */
  readonly text: string;
}

const DEEPEST = 64;
const TOKEN = /[ \t\r\n]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"?|[^ \t\r\n{}[\],:"]+|$)/suy;
const NO_CHILDREN: ReadonlyMap<string | number, Child> = new Map();

class Unreadable extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** What the language reads says nothing of lines, and calls itself without an end. */
export function readJsonText(given: string): JsonText | JsonFault {
  const text = given.replace(/^\ufeff/, '');
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  try {
    const { root, repeated } = scan(text);
    return {
      value: JSON.parse(text),
      repeated,
      lineOf: (path, isKey = false) => lineAt(offsetOf(root, path, isKey)),
    };
  } catch (error) {
    if (error instanceof Unreadable) return { line: lineAt(error.offset), message: error.message };
    if (error instanceof SyntaxError) return { line: 1, message: 'This is no JSON.' };
    throw error;
  }
}

function offsetOf(root: Node, path: Path, isKey: boolean): number {
  let child: Child = { offset: root.offset, node: root };
  for (const step of path) {
    const next = child.node.children.get(step);
    if (!next) return child.node.offset;
    child = next;
  }
  return isKey ? child.offset : child.node.offset;
}

/** The next token, and a way to the one after it. */
interface Cursor {
  readonly text: string;
  next: Token;
  readonly repeated: Path[];
}

function scan(text: string): { readonly root: Node; readonly repeated: readonly Path[] } {
  const cursor: Cursor = { text, next: tokenAt(text, 0), repeated: [] };
  const root = scanValue(cursor, []);
  if (cursor.next.text !== '') {
    throw new Unreadable(cursor.next.offset, 'Something follows the end of the value.');
  }
  return { root, repeated: cursor.repeated };
}

function scanValue(cursor: Cursor, path: Path): Node {
  const { offset, text } = cursor.next;
  if (path.length > DEEPEST) throw new Unreadable(offset, 'This is nested too deeply.');
  if (text === '{') return scanAll(cursor, path, '}', scanEntry);
  if (text === '[') return scanAll(cursor, path, ']', scanItem);
  parseLiteral(take(cursor));
  return { offset, children: NO_CHILDREN };
}

function scanAll(
  cursor: Cursor,
  path: Path,
  end: string,
  scanOne: (cursor: Cursor, path: Path, children: Map<string | number, Child>) => void,
): Node {
  const { offset } = take(cursor);
  const children = new Map<string | number, Child>();
  for (let isFirst = true; cursor.next.text !== end; isFirst = false) {
    if (!isFirst) skip(cursor, ',', `A comma or ${end} is missing here.`);
    scanOne(cursor, path, children);
  }
  take(cursor);
  return { offset, children };
}

function scanItem(cursor: Cursor, path: Path, children: Map<string | number, Child>): void {
  const { offset } = cursor.next;
  const index = children.size;
  children.set(index, { offset, node: scanValue(cursor, [...path, index]) });
}

function scanEntry(cursor: Cursor, path: Path, children: Map<string | number, Child>): void {
  const token = take(cursor);
  const key = token.text.startsWith('"') ? parseLiteral(token) : undefined;
  if (typeof key !== 'string') {
    throw new Unreadable(token.offset, 'A key in double quotes is missing here.');
  }
  skip(cursor, ':', 'A colon is missing here.');
  const here = [...path, key];
  if (children.has(key)) cursor.repeated.push(here);
  children.set(key, { offset: token.offset, node: scanValue(cursor, here) });
}

function take(cursor: Cursor): Token {
  const taken = cursor.next;
  cursor.next = tokenAt(cursor.text, taken.offset + taken.text.length);
  return taken;
}

function skip(cursor: Cursor, wanted: string, message: string): void {
  if (cursor.next.text !== wanted) throw new Unreadable(cursor.next.offset, message);
  take(cursor);
}

function tokenAt(text: string, from: number): Token {
  TOKEN.lastIndex = from;
  const [whole = '', token = ''] = TOKEN.exec(text) ?? [];
  return { offset: from + whole.length - token.length, text: token };
}

function parseLiteral({ offset, text }: Token): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const message =
      text === '' ? 'The file ends too early.' : 'A value in the form of JSON is missing here.';
    throw new Unreadable(offset, message);
  }
}
