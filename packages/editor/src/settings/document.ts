import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { type Piece, piecesOf } from './pieces.ts';
import { faultOf, unreadable } from './unreadable.ts';

export interface Property {
  readonly key: string;
  readonly value: Node;
  readonly start: number;
  readonly end: number;
  /** Where its comma is; the last one may have none. */
  readonly comma: number | undefined;
  /** The bracket, comma or comment before it. */
  readonly before: Piece;
}

interface SettingsDocument {
  /** Without the byte order mark, which VS Code does not count as text either. */
  readonly text: string;
  readonly mark: string;
  /** Nothing but blanks and comments has no root, and counts as no settings. */
  readonly root: Root | undefined;
}

export interface Root {
  readonly properties: readonly Property[];
  readonly close: number;
  /** The last thing before the closing brace. */
  readonly beforeClose: Piece;
}

const MARK = '\ufeff';

export function readDocument(given: string): SettingsDocument {
  const mark = given.startsWith(MARK) ? MARK : '';
  const text = given.slice(mark.length);
  const pieces = piecesOf(text);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) throw unreadable(text, error.offset, faultOf(error));
  if (tree && tree.type !== 'object') {
    throw unreadable(text, tree.offset, 'the settings are not an object in braces');
  }
  return { text, mark, root: tree && rootOf(tree, pieces) };
}

export function propertyNamed(document: SettingsDocument, key: string): Property | undefined {
  // VS Code takes the last of those that are there twice.
  return document.root?.properties.findLast((property) => property.key === key);
}

function rootOf(tree: Node, pieces: readonly Piece[]): Root {
  const close = tree.offset + tree.length - 1;
  const nodes = new Map((tree.children ?? []).map((node) => [node.offset, node]));
  const properties: Property[] = [];
  let beforeClose: Piece | undefined;
  for (const [index, piece] of pieces.entries()) {
    if (piece.depth !== 1) continue;
    const node = nodes.get(piece.start);
    const before = pieces[index - 1];
    if (node && before) properties.push(propertyOf(node, before));
    const last = properties.at(-1);
    if (piece.kind === 'comma' && last) properties.splice(-1, 1, { ...last, comma: piece.start });
    if (piece.start === close) beforeClose = before;
  }
  if (!beforeClose) throw new Error('settings.json has an object without braces');
  return { properties, close, beforeClose };
}

function propertyOf(node: Node, before: Piece): Property {
  const [name, value] = node.children ?? [];
  if (!name || !value) throw new Error('settings.json has a property without a value');
  return {
    key: String(name.value),
    value,
    start: node.offset,
    end: value.offset + value.length,
    comma: undefined,
    before,
  };
}

/** Bounded in depth by the document. An own `__proto__` stays a mere name, as with `JSON.parse`. */
export function readValue(node: Node): unknown {
  const children = node.children ?? [];
  if (node.type === 'array') return children.map(readValue);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(
    children.flatMap(({ children: [name, value] = [] }) =>
      name && value ? [[String(name.value), readValue(value)]] : [],
    ),
  );
}
