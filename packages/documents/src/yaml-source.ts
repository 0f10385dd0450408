import type { Document, YAMLError } from 'yaml';

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

const WORDING: Partial<Record<YAMLError['code'], string>> = {
  DUPLICATE_KEY: 'This key is there already, and each may be given once.',
  NON_STRING_KEY: 'A key must be a plain text.',
  TAG_RESOLVE_FAILED: 'Tags are not supported: write a plain value.',
  MULTIPLE_DOCS: 'A second document begins here, and a file holds one.',
};

// After these the rest of the file still means what it says.
const HARMLESS: readonly YAMLError['code'][] = [
  'DUPLICATE_KEY',
  'MULTIPLE_DOCS',
  'TAG_RESOLVE_FAILED',
];

/**
 * YAML 1.2 as plain data: its core schema, without tags and merge keys. JSON is YAML too. `whole`
 * is what problems call all of it.
 */
export async function readYaml(text: string, whole: string): Promise<YamlSource> {
  const yaml = await import('yaml');
  const source = text.replace(/^\ufeff/, '');
  const document = yaml.parseDocument(source, {
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
  });
  const errors = [...document.errors, ...document.warnings];
  const problems = syntaxProblems(errors);
  const isReadable = errors.every(({ code }) => HARMLESS.includes(code));
  const bad = isReadable ? aliasProblems(yaml, document) : [];
  const read = isReadable && bad.length === 0 ? contentOf(document, whole) : undefined;
  return {
    problems: [...problems, ...bad, ...(read && 'message' in read ? [read] : [])],
    ...(read && 'value' in read && { content: read }),
    offsetOf: (path, isKey) => offsetOf(yaml, document, path, isKey),
    positionOf: (offset) => positionIn(source, offset),
  };
}

function syntaxProblems(errors: readonly YAMLError[]): Problem[] {
  const deep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (deep) return [{ offset: deep.pos[0], message: 'This is nested too deeply.' }];
  return errors.map(({ code, message, pos: [offset] }) => ({
    offset,
    message: WORDING[code] ?? `${message}.`,
  }));
}

/** Aliases of nothing, and those that contain themselves: such a value has no end. */
function aliasProblems(yaml: Yaml, document: Document.Parsed): Problem[] {
  const problems: Problem[] = [];
  yaml.visit(document, {
    Alias(_, alias) {
      const [offset = 0] = alias.range ?? [];
      const anchored = alias.resolve(document)?.range;
      if (!anchored) {
        problems.push({
          offset,
          message: `There is no anchor &${alias.source} before this alias.`,
        });
      } else if (anchored[0] <= offset && offset < anchored[1]) {
        problems.push({ offset, message: `The alias *${alias.source} contains itself.` });
      }
    },
  });
  return problems;
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
function positionIn(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
}
