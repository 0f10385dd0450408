import { truncate } from '@baton/core';
import type { Document, ParsedNode, YAMLError, YAMLMap } from 'yaml';

type Yaml = typeof import('yaml');

interface Problem {
  readonly offset: number;
  readonly message: string;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

export interface YamlSource {
  readonly problems: readonly Problem[];
  /** Absent if the problems leave nothing that could be checked further. */
  readonly content?: { readonly value: unknown };
  /** Where the value at a path is written, or its key; if it is not there, what should hold it. */
  offsetOf(path: readonly PropertyKey[], isKey: boolean): number;
  positionOf(offset: number): Position;
}

const MOST_ALIASES = 100;
/** Some repeat what they are about, which can be most of the file. */
const MAX_MESSAGE = 300;
/**
 * Marks, words, spaces and line breaks of a text. Reading one takes up to 4 µs and 600 bytes of
 * memory, and a plan of 5,000 jobs has about 150,000.
 */
const MAX_PIECES = 300_000;

const WORDING: Partial<Record<YAMLError['code'], string>> = {
  NON_STRING_KEY: 'A key must be a plain text.',
  TAG_RESOLVE_FAILED: 'Tags are not supported: write a plain value.',
  MULTIPLE_DOCS: 'A second document begins here, and a file holds one.',
};

// After these the rest of the file still means what it says.
const HARMLESS: readonly YAMLError['code'][] = ['MULTIPLE_DOCS', 'TAG_RESOLVE_FAILED'];

/**
 * YAML 1.2 as plain data: its core schema, without tags and merge keys. JSON is YAML too. `whole`
 * is what problems call all of it.
 */
export async function readYaml(text: string, whole: string): Promise<YamlSource> {
  const yaml = await import('yaml');
  const source = text.replace(/^\ufeff/, '');
  const positionOf = positionsIn(source);
  const document = parse(yaml, source);
  if (!document) {
    const message = `${whole} has more than ${MAX_PIECES} words and marks: nothing of it is read.`;
    return { problems: [{ offset: 0, message }], offsetOf: () => 0, positionOf };
  }
  const errors = [...document.errors, ...document.warnings];
  const isReadable = errors.every(({ code }) => HARMLESS.includes(code));
  const { doubles, aliases } = structureProblems(yaml, document);
  const bad = isReadable ? aliases : [];
  const read = isReadable && bad.length === 0 ? contentOf(document, whole) : undefined;
  return {
    problems: [
      ...syntaxProblems(errors),
      ...doubles,
      ...bad,
      ...(read && 'message' in read ? [read] : []),
    ].map(({ offset, message }) => ({ offset, message: truncate(message, MAX_MESSAGE) })),
    ...(read && 'value' in read && { content: read }),
    offsetOf: (path, isKey) => offsetOf(yaml, document, path, isKey),
    positionOf,
  };
}

class TooManyPieces extends Error {}

/** As the library's `parseDocument` does it, unless the text has too many pieces. */
function parse(yaml: Yaml, source: string): Document.Parsed | undefined {
  let pieces = 0;
  class BoundedParser extends yaml.Parser {
    override *next(piece: string) {
      pieces += 1;
      if (pieces > MAX_PIECES) throw new TooManyPieces();
      yield* super.next(piece);
    }
  }
  const composer = new yaml.Composer({
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    // It compares each key with all others.
    uniqueKeys: false,
  });
  try {
    let document: Document.Parsed | undefined;
    for (const one of composer.compose(new BoundedParser().parse(source), true, source.length)) {
      if (document) {
        const [start, end] = one.range;
        document.errors.push(new yaml.YAMLParseError([start, end], 'MULTIPLE_DOCS', ''));
        break;
      }
      document = one as Document.Parsed;
    }
    return document;
  } catch (error) {
    if (error instanceof TooManyPieces) return undefined;
    throw error;
  }
}

function syntaxProblems(errors: readonly YAMLError[]): Problem[] {
  const deep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (deep) return [{ offset: deep.pos[0], message: 'This is nested too deeply.' }];
  return errors.map(({ code, message, pos: [offset] }) => ({
    offset,
    message: WORDING[code] ?? `${message}.`,
  }));
}

/** What the library finds only by looking through the document again for every key and alias. */
function structureProblems(yaml: Yaml, document: Document.Parsed) {
  const doubles: Problem[] = [];
  const aliases: Problem[] = [];
  const anchors = new Map<string, ParsedNode['range']>();
  yaml.visit(document, {
    Node(_, node) {
      if ('anchor' in node && node.anchor && node.range) anchors.set(node.anchor, node.range);
      if (yaml.isMap(node)) for (const double of doubleKeys(yaml, node)) doubles.push(double);
      if (!yaml.isAlias(node)) return;
      const [offset = 0] = node.range ?? [];
      const anchored = anchors.get(node.source);
      if (!anchored) {
        aliases.push({ offset, message: `There is no anchor &${node.source} before this alias.` });
      } else if (offset < anchored[1]) {
        // Such a value has no end.
        aliases.push({ offset, message: `The alias *${node.source} contains itself.` });
      }
    },
  });
  return { doubles, aliases };
}

function doubleKeys(yaml: Yaml, { items }: YAMLMap): Problem[] {
  const seen = new Set<unknown>();
  return items.flatMap(({ key }) => {
    if (!yaml.isScalar(key)) return [];
    const isDouble = seen.has(key.value);
    seen.add(key.value);
    const message = 'This key is there already, and each may be given once.';
    return isDouble ? [{ offset: startOf(key) ?? 0, message }] : [];
  });
}

function contentOf(
  document: Document.Parsed,
  whole: string,
): { readonly value: unknown } | Problem {
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    return value === null ? { offset: 0, message: `${whole} is empty.` } : { value };
  } catch (error) {
    const message =
      error instanceof RangeError
        ? 'This is nested too deeply.'
        : `A value with an anchor is there more than ${MOST_ALIASES} times, aliases within aliases counted.`;
    return { offset: 0, message };
  }
}

function offsetOf(
  yaml: Yaml,
  document: Document.Parsed,
  path: readonly PropertyKey[],
  isKey: boolean,
): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, step] of path.entries()) {
    if (yaml.isAlias(node)) node = node.resolve(document);
    const { key, value } = childOf(yaml, node, step);
    const isWanted = isKey && depth === path.length - 1;
    offset = (isWanted ? startOf(key) : startOf(value)) ?? startOf(key) ?? offset;
    node = value;
  }
  return offset;
}

function childOf(yaml: Yaml, node: unknown, step: PropertyKey): { key?: unknown; value?: unknown } {
  if (yaml.isSeq(node)) return { value: node.items[Number(step)] };
  if (!yaml.isMap(node)) return {};
  // Of a key that is there twice the last is the one that was checked.
  return node.items.findLast(({ key }) => yaml.isScalar(key) && key.value === step) ?? {};
}

/** The library's own counter misses line breaks within what it cannot make sense of. */
function positionsIn(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    let [line, after] = [0, starts.length];
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
}
