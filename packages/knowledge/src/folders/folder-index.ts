import { createHash } from 'node:crypto';
import type { Clock } from '@baton/core';
import { type FileStamp, isPassing, type Turns } from '@baton/folders';
import { buildSegment } from '../index/build-segment.ts';
import type { IndexedEntry, Indexer } from '../index/entry.ts';
import { mergeSegments } from '../index/merge-segments.ts';
import type { Part, Segment } from '../index/segment.ts';
import { entryOf, type PieceRecord } from '../reading/entry-of.ts';
import type { Kind, Problem } from '../reading/piece.ts';
import { readPiece } from '../reading/read-piece.ts';
import { type MarkdownScan, readMarkdown, scanMarkdown, unreadIn } from './markdown-files.ts';
import type { SegmentCache } from './segment-cache.ts';

export interface FolderIndexPorts {
  readonly cache: SegmentCache;
  readonly clock: Clock;
  indexer(): Indexer;
  countTokens(text: string): number;
}

/** Files that have changed since the index was stored; beyond this it is stored anew. */
const MOST_RECENT = 16;
/** So much text at once is made searchable: its words take far more space before than after. */
const BATCH_BYTES = 1024 * 1024;

/** The pieces of one folder: those that were indexed before, and those that have changed since. */
export class FolderIndex {
  /** The real path. */
  readonly root: string;
  readonly #ports: FolderIndexPorts;
  readonly #kind: Kind | undefined;
  #parts: readonly Part[] = [];
  /** Where each file is in the parts. */
  readonly #places = new Map<string, { readonly part: Part; readonly local: number }>();
  /** Files that are in none of the parts yet. */
  readonly #recent = new Map<string, IndexedEntry>();
  #recentPart: Part | undefined;
  #recentBytes = 0;
  /** Files that are in the stored index as they are, but with other times. */
  readonly #restamped = new Set<string>();
  readonly #refused = new Map<string, { readonly stamp: FileStamp; readonly problem: Problem }>();

  /** `kind` is what all of its files are, if they are all the same. */
  constructor(root: string, ports: FolderIndexPorts, kind?: Kind) {
    this.root = root;
    this.#ports = ports;
    this.#kind = kind;
    const stored = ports.cache.load(this.#name);
    if (stored) this.#addPart(stored);
  }

  get parts(): readonly Part[] {
    return this.#recentPart ? [...this.#parts, this.#recentPart] : this.#parts;
  }

  /** Takes up what has changed in the folder. Until it is done, the parts are in between. */
  async refresh(
    turns: Turns,
    entering: (folder: string) => void,
  ): Promise<{ readonly scan: MarkdownScan; readonly hasChanged: boolean }> {
    const now = () => this.#ports.clock.now();
    const scan = await scanMarkdown(this.root, { now, turns, entering });
    let hasChanged = this.#forgetMissing(scan);
    for (const [file, stamp] of scan.files) {
      if (this.#isKnown(file, stamp)) continue;
      if (await this.#take(file, stamp)) hasChanged = true;
      if (this.#recentBytes >= BATCH_BYTES) this.#addRecent();
      if (turns.isOver) await turns.next();
    }
    if (this.#restamped.size > MOST_RECENT) hasChanged = true;
    if (hasChanged) this.#settle();
    const refused = [...this.#refused.values()].map(({ problem }) => problem);
    return { scan: { ...scan, problems: [...scan.problems, ...refused] }, hasChanged };
  }

  /** What the index is stored under: a folder of workflows reads its files in another way. */
  get #name(): string {
    return this.#kind ? `${this.root}\n${this.#kind}` : this.root;
  }

  #isKnown(file: string, { size, changed }: FileStamp): boolean {
    const known = this.#refused.get(file)?.stamp ?? this.#stampOf(file);
    return known?.size === size && known.changed === changed && changed !== 0;
  }

  #stampOf(file: string): FileStamp | undefined {
    const recent = this.#recent.get(file);
    if (recent) return recent;
    const place = this.#places.get(file);
    if (!place) return undefined;
    const { stamps } = place.part.segment.arrays;
    return { size: stamps[place.local * 2] ?? 0, changed: stamps[place.local * 2 + 1] ?? 0 };
  }

  /** Reads a file; whether that has changed the index. */
  async #take(file: string, seen: FileStamp): Promise<boolean> {
    const read = readMarkdown(this.root, file, () => this.#ports.clock.now());
    if ('problem' in read) {
      // What could not be read for now is tried again.
      const stamp = isPassing(read) ? { ...seen, changed: 0 } : seen;
      this.#refused.set(file, { stamp, problem: unreadIn(file, read) });
      return this.#forget(file);
    }
    this.#refused.delete(file);
    const { text, stamp } = read;
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
    if (this.#hashOf(file) === hash) {
      this.#restamp(file, stamp);
      return false;
    }
    const { piece } = await readPiece(file, text, this.#kind);
    const tokens = this.#ports.countTokens(piece.body);
    this.#forget(file);
    const entry = entryOf(piece, { path: file, ...stamp }, { tokens, hash });
    this.#recent.set(file, this.#ports.indexer().index(entry));
    this.#recentBytes += text.length;
    return true;
  }

  /** Its times have changed, and nothing else. */
  #restamp(file: string, stamp: FileStamp): void {
    const recent = this.#recent.get(file);
    if (recent) this.#recent.set(file, { ...recent, ...stamp });
    const place = this.#places.get(file);
    if (!place) return;
    place.part.segment.arrays.stamps.set([stamp.size, stamp.changed], place.local * 2);
    this.#restamped.add(file);
  }

  #hashOf(file: string): string | undefined {
    const recent = this.#recent.get(file);
    const place = this.#places.get(file);
    const record = recent ? JSON.parse(recent.record) : place?.part.segment.record(place.local);
    return (record as PieceRecord | undefined)?.hash;
  }

  #forgetMissing({ files }: MarkdownScan): boolean {
    const all = [...this.#places.keys(), ...this.#recent.keys()];
    const missing = all.filter((file) => !files.has(file));
    for (const file of missing) this.#forget(file);
    for (const file of this.#refused.keys()) if (!files.has(file)) this.#refused.delete(file);
    return missing.length > 0;
  }

  #forget(file: string): boolean {
    const place = this.#places.get(file);
    if (place) place.part.hidden[place.local] = 1;
    return this.#places.delete(file) || this.#recent.delete(file);
  }

  /** Makes what has changed searchable, and stores the whole if that is much. */
  #settle(): void {
    const isStored = this.#parts.length === 1;
    if (isStored && this.#recent.size <= MOST_RECENT && this.#restamped.size <= MOST_RECENT) {
      this.#recentPart = partOf([...this.#recent.values()]);
      return;
    }
    this.#addRecent();
    const merged = mergeSegments(this.#parts);
    this.#parts = [];
    this.#addPart(merged);
    this.#ports.cache.save(this.#name, merged);
    this.#restamped.clear();
  }

  #addRecent(): void {
    const part = partOf([...this.#recent.values()]);
    this.#recent.clear();
    this.#recentBytes = 0;
    this.#recentPart = undefined;
    if (part) this.#addPart(part.segment);
  }

  #addPart(segment: Segment): void {
    const part = { segment, hidden: new Uint8Array(segment.count) };
    for (const [local, file] of segment.paths.entries()) this.#places.set(file, { part, local });
    this.#parts = [...this.#parts, part];
  }
}

function partOf(entries: readonly IndexedEntry[]): Part | undefined {
  if (entries.length === 0) return undefined;
  const segment = buildSegment(entries);
  return { segment, hidden: new Uint8Array(segment.count) };
}
