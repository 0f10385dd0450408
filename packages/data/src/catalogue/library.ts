import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@baton/core';
import {
  type FileStamp,
  type FolderSource,
  FollowedFolder,
  type Scan,
  scanFolder,
  Turns,
} from '@baton/folders';
import type { ChildEngine, Views } from '../engine/child-engine.ts';
import { type Engine, quoteName, quoteText } from '../engine/engine.ts';
import type { Inference, InferredTable } from '../inference/facts.ts';
import { infer } from '../inference/infer.ts';
import { MOST_BYTES } from '../loading/copy-in.ts';
import type { ReadingRules } from '../loading/load.ts';
import type { Catalogue, Problem } from '../model.ts';
import { fold } from '../names.ts';
import { assemble, type NamedPart, nameParts, type Part, versionOf } from './assembling.ts';
import { type Declaration, readDeclarations } from './declaring.ts';
import { findPlaces, isPart, type Place, saysMore } from './places.ts';
import { FolderRecords, type NoRecords, type Records } from './records.ts';
import type { RecordsCache } from './records-cache.ts';

/** All data as it was at one moment. */
export interface Snapshot {
  readonly catalogue: Catalogue;
  /** Runs statements over views of just this data. */
  readonly engine: Engine;
  /** By the ids of categories. */
  readonly schemas: ReadonlyMap<string, RecordSchema>;
}

export interface RecordSchema {
  /** The JSON Schema of a record. */
  readonly schema: unknown;
  /** Folded names of fields that no record has here, whatever the schema wants. */
  readonly secret: ReadonlySet<string>;
}

export interface LibraryPorts {
  readonly cache: RecordsCache;
  readonly engine: ChildEngine;
  readonly clock: Clock;
}

/** What was read of one folder. */
interface Shelved {
  readonly parts: readonly Part[];
  readonly problems: readonly Problem[];
}

interface Shelf {
  readonly folder: FollowedFolder;
  records: FolderRecords | undefined;
  shelved: Shelved;
}

/** An inference as it is kept. */
interface Stored extends Omit<Inference, 'tables'> {
  readonly tables: readonly (readonly [string, InferredTable])[];
}

/** Files that are read at once. */
const AT_ONCE = 2;
/** Such files are read one by one. */
const LARGE_BYTES = 4 * 1024 * 1024;
const NOTHING: Shelved = { parts: [], problems: [] };
const LINK_HINT = 'Name its target in the setting `data` instead.';

/** The categories of all sources, as their files are now. */
export class DataLibrary {
  readonly #ports: LibraryPorts;
  readonly #shelves: readonly Shelf[];
  #snapshot: Snapshot | undefined;
  #refreshing: Promise<void> | undefined;

  /** `changed` is called when a folder may have changed; somebody has to ask then. */
  constructor(sources: readonly FolderSource[], ports: LibraryPorts, changed: () => void) {
    this.#ports = ports;
    this.#shelves = sources.map((source) => ({
      folder: new FollowedFolder(source, ports.clock, changed),
      records: undefined,
      shelved: NOTHING,
    }));
  }

  /** The data as it is now: what was written before this is in it. */
  async current(): Promise<Snapshot> {
    // Notices of changes that have happened already are delivered first. The turn that is under
    // way may have asked for them before this was called, the one after it has not.
    await nextTurn();
    await nextTurn();
    await this.#refreshing;
    if (!this.#snapshot || this.#shelves.some(({ folder }) => folder.isStale)) {
      this.#refreshing ??= this.#refresh().finally(() => {
        this.#refreshing = undefined;
      });
      await this.#refreshing;
    }
    return this.#snapshot as Snapshot;
  }

  /** What is stored of the records has gone, or is damaged: the next one who asks makes it again. */
  forget(why: string): void {
    this.#ports.cache.remove(why);
    this.#snapshot = undefined;
    for (const shelf of this.#shelves) shelf.records = undefined;
  }

  async #refresh(): Promise<void> {
    this.#ports.cache.prepare();
    for (const shelf of this.#shelves) {
      if (this.#snapshot && !shelf.folder.isStale) continue;
      shelf.shelved = await shelf.folder.refresh({
        read: ({ root, entering }) => this.#read(shelf, root, entering),
        clear: (problem) => this.#clear(shelf, problem),
      });
    }
    // Should this fail, what was known before is not what the folders hold now.
    this.#snapshot = undefined;
    this.#snapshot = await this.#assemble();
  }

  #clear(shelf: Shelf, problem: string | undefined): Shelved {
    const { source } = shelf.folder;
    shelf.records = undefined;
    if (problem === undefined) return NOTHING;
    const told: Problem = { file: source.name, line: 1, severity: 'error', message: problem };
    return { parts: [], problems: [told] };
  }

  async #read(shelf: Shelf, root: string, entering: (folder: string) => void) {
    const { clock, cache } = this.#ports;
    const { name } = shelf.folder.source;
    const scan = await scanFolder(root, {
      now: clock.now,
      turns: new Turns(clock.monotonic),
      isWanted: isPart,
      maxBytes: MOST_BYTES,
      linkHint: LINK_HINT,
      entering,
    });
    shelf.records ??= new FolderRecords(root, cache, clock.now);
    // A link that says what is secret cannot be read, and is not taken for nothing.
    const missed = scan.problems.map(({ file }) => file).filter(saysMore);
    const { places, catalogs, problems } = findPlaces([...scan.files.keys(), ...missed]);
    const declared = await readDeclarations(root, name, places, catalogs);
    const told: Problem[] = [
      ...[...scan.problems.map((one) => ({ ...one, severity: 'error' as const })), ...problems].map(
        (one) => ({ ...one, line: 1, file: `${name}/${one.file}` }),
      ),
      ...declared.problems,
    ];
    const parts = await this.#readAll(shelf.records, name, scan, places, declared.of, told);
    shelf.records.settle(new Set(places.map(({ records }) => records)));
    return { folders: scan.folders, result: { parts, problems: told } };
  }

  async #readAll(
    records: FolderRecords,
    source: string,
    scan: Scan,
    places: readonly Place[],
    declarations: readonly Declaration[],
    problems: Problem[],
  ): Promise<Part[]> {
    const parts: (Part | undefined)[] = places.map(() => undefined);
    const readAll = async (some: Iterable<readonly [number, Place]>): Promise<void> => {
      for (const [at, place] of some) {
        const declaration = declarations[at] ?? { declared: {} };
        const stamp = scan.files.get(place.records);
        if (!stamp || declaration.declared.isHidden) continue;
        const read = await this.#readOne(records, place, stamp, declaration);
        if ('problem' in read) {
          const { problem: message, line } = read;
          problems.push({ file: `${source}/${place.records}`, line, severity: 'error', message });
        } else parts[at] = { ...declaration, place, source, records: read };
      }
    };
    const isLarge = ({ records: file }: Place) => (scan.files.get(file)?.size ?? 0) > LARGE_BYTES;
    const all = [...places.entries()];
    // While the engine works on one file, another one can be copied; large ones need its memory.
    const small = all.filter(([, place]) => !isLarge(place)).values();
    await Promise.all(Array.from({ length: AT_ONCE }, () => readAll(small)));
    await readAll(all.filter(([, place]) => isLarge(place)));
    return parts.filter((part) => part !== undefined);
  }

  async #readOne(
    records: FolderRecords,
    place: Place,
    stamp: FileStamp,
    declaration: Declaration,
  ): Promise<Records | NoRecords> {
    const { broken } = declaration;
    if (broken !== undefined) {
      const problem = `This is left out until ${broken} can be read: it may say what is secret.`;
      return { problem, line: 1 };
    }
    return records.read(place.records, stamp, rulesOf(declaration), this.#ports.engine);
  }

  async #assemble(): Promise<Snapshot> {
    const shelved = this.#shelves.map((shelf) => shelf.shelved);
    const { named, problems } = nameParts(shelved.flatMap(({ parts }) => parts));
    const engine = this.#engineFor(named);
    const inference = await this.#inferred(named, engine);
    const all = [...shelved.flatMap((one) => one.problems), ...problems];
    const schemas = named.flatMap(({ facts, schema, ...part }) =>
      schema === undefined ? [] : [[facts.id, { schema, secret: rulesOf(part).secret }] as const],
    );
    return { catalogue: assemble(named, inference, all), engine, schemas: new Map(schemas) };
  }

  #engineFor(parts: readonly NamedPart[]): Engine {
    const { cache, engine } = this.#ports;
    const views = parts.map(({ facts, records }) => {
      const file = quoteText(cache.fileOf(records.key));
      return `CREATE OR REPLACE VIEW ${quoteName(facts.table)} AS SELECT * FROM read_parquet(${file})`;
    });
    if (views.length === 0) return engine;
    const all: Views = { key: versionOf(views), sql: views.join('; ') };
    return { run: (sql, options) => engine.run(sql, options, all) };
  }

  /** What follows from the same records and the same words is known already. */
  async #inferred(parts: readonly NamedPart[], engine: Engine): Promise<Inference> {
    const { cache } = this.#ports;
    const about = `inferred\n${versionOf(parts.map(({ facts, records }) => [records.key, { ...facts, fields: facts.fields.map(({ name, aliases }) => [name, aliases]) }]))}`;
    const known = cache.loadNote(about) as Stored | undefined;
    if (known) return { ...known, tables: new Map(known.tables) };
    const inference = await infer(
      parts.map(({ facts }) => facts),
      engine,
    );
    cache.saveNote(about, { ...inference, tables: [...inference.tables] });
    return inference;
  }
}

function rulesOf({ declared: { csv, fields } }: Declaration): ReadingRules {
  const all = fields ?? [];
  return {
    csv: csv ?? {},
    types: new Map(all.flatMap(({ name, type }) => (type ? [[fold(name), type]] : []))),
    secret: new Set(all.filter(({ isSecret }) => isSecret).map(({ name }) => fold(name))),
  };
}
