import path from 'node:path';
import { readFileWithin, sentenceOf } from '@baton/folders';
import { readCatalogFile } from '../declared/catalog-file.ts';
import { readCategoryFile, readRelationshipsFile } from '../declared/category-file.ts';
import type {
  CatalogEntry,
  DeclaredCatalog,
  DeclaredCategory,
  Reading,
} from '../declared/declared.ts';
import { readExamplesFile } from '../declared/examples-file.ts';
import { mergeDeclared } from '../declared/merge.ts';
import { readQueryFile } from '../declared/query-file.ts';
import { readSchemaFile } from '../declared/schema-file.ts';
import type { Problem } from '../model.ts';
import { fold } from '../names.ts';
import type { Place } from './places.ts';

/** Larger files say nothing about records: they are records. */
const MOST_BYTES = 1024 * 1024;

/** What people have said about a category. */
export interface Declaration {
  readonly declared: DeclaredCategory;
  /** A file that says nothing because it is broken: it may say which fields are secret. */
  readonly broken?: string;
  /** The JSON Schema of a record, if there is one. */
  readonly schema?: unknown;
}

export interface Declarations {
  /** As many as there are places. */
  readonly of: readonly Declaration[];
  readonly problems: readonly Problem[];
}

/** Reads all files that say something about categories. */
export async function readDeclarations(
  root: string,
  source: string,
  places: readonly Place[],
  catalogs: readonly string[],
): Promise<Declarations> {
  const reader = new Reader(root, source);
  const read = new Map<string, DeclaredCatalog>();
  for (const file of catalogs) {
    const known = places.filter(({ catalog }) => catalog === file).map(({ name }) => name);
    const declared = await reader.readLater(file, (text, name) =>
      readCatalogFile(text, name, known),
    );
    if (declared) read.set(file, declared);
  }
  const of = places.map((place) => reader.declaration(place, read.get(place.catalog ?? '')));
  return { of, problems: reader.problems };
}

class Reader {
  readonly problems: Problem[] = [];
  readonly #root: string;
  readonly #source: string;
  readonly #broken = new Set<string>();

  constructor(root: string, source: string) {
    this.#root = root;
    this.#source = source;
  }

  declaration(place: Place, catalog: DeclaredCatalog | undefined): Declaration {
    const entry = entryFor(place, catalog);
    const category = place.category && this.#read(place.category, readCategoryFile);
    const relations = place.relationships && this.#read(place.relationships, readRelationshipsFile);
    const [schema] = place.schemas.flatMap((file) => this.#read(file, readSchemaFile) ?? []);
    const queries = place.queries.flatMap((file) => this.#read(file, readQueryFile) ?? []);
    const examples = place.examples.flatMap((file) => this.#read(file, readExamplesFile) ?? []);
    const layers: DeclaredCategory[] = [
      entry?.declared ?? {},
      category || {},
      { ...(relations && { relations }), queries, examples },
      schema?.category ?? {},
    ];
    const declared = mergeDeclared(layers);
    const broken = [place.catalog, place.category].find((file) => this.#broken.has(file ?? ''));
    return {
      declared,
      ...(broken !== undefined && { broken }),
      ...(schema?.schema !== undefined && { schema: schema.schema }),
    };
  }

  async readLater<Declared>(
    file: string,
    read: (text: string, name: string) => Promise<Reading<Declared>>,
  ): Promise<Declared | undefined> {
    const text = this.#text(file);
    if (text === undefined) return undefined;
    return this.#told(file, await read(text, this.#nameOf(file)));
  }

  #read<Declared>(
    file: string,
    read: (text: string, name: string) => Reading<Declared>,
  ): Declared | undefined {
    const text = this.#text(file);
    return text === undefined ? undefined : this.#told(file, read(text, this.#nameOf(file)));
  }

  #told<Declared>(file: string, { declared, problems }: Reading<Declared>): Declared {
    this.problems.push(...problems);
    const isWrong = problems.some(({ severity }) => severity === 'error');
    if (isWrong && saysNothing(declared)) this.#broken.add(file);
    return declared;
  }

  #text(file: string): string | undefined {
    const read = readFileWithin(this.#root, file, { maxBytes: MOST_BYTES, now: Date.now });
    if ('text' in read) return read.text;
    this.#broken.add(file);
    const message = sentenceOf(read, MOST_BYTES);
    const line = 'line' in read ? read.line : 1;
    this.problems.push({ file: this.#nameOf(file), line, severity: 'error', message });
    return undefined;
  }

  #nameOf(file: string): string {
    return `${this.#source}/${file}`;
  }
}

function saysNothing(declared: unknown): boolean {
  const said = Object.values(declared as object).filter((one) => one !== undefined);
  return said.every((one) => Array.isArray(one) && one.length === 0);
}

function entryFor(place: Place, catalog: DeclaredCatalog | undefined): CatalogEntry | undefined {
  const base = path.posix.basename(place.records);
  return catalog?.categories.find(({ key, file }) =>
    file === undefined
      ? fold(key) === fold(place.name)
      : file === base || place.records.endsWith(`/${file}`),
  );
}
