import { createHash } from 'node:crypto';
import type { Turns } from '@baton/folders';
import type { Contents } from '../edits/changing.ts';
import type { Journal, JournalWrite } from './journal.ts';

const FORMAT = 'baton-change 1';
const NEWLINE = 10;
const FIRST_LINE = `${FORMAT} ${'0'.repeat(64)}\n`.length;
/** So much is hashed before others may have a turn. */
const PIECE = 1024 * 1024;

type StoredWrite = Omit<JournalWrite, 'before' | 'after'> & {
  /** Sizes of contents, which come after all of this; `null` if there is no file. */
  readonly before: number | null;
  readonly after: number | null;
};
type Stored = Omit<Journal, 'writes'> & { readonly writes: readonly StoredWrite[] };

/** A line with a checksum of everything after it, a line of JSON, and the contents. */
export async function encodeJournal(journal: Journal, turns: Turns): Promise<Buffer> {
  const stored: Stored = {
    ...journal,
    writes: journal.writes.map((write) => ({
      ...write,
      before: write.before?.length ?? null,
      after: write.after?.length ?? null,
    })),
  };
  const contents = journal.writes.flatMap(({ before, after }) => [before, after]);
  const parts = contents.filter((part) => part !== undefined);
  const bytes = Buffer.concat([
    Buffer.alloc(FIRST_LINE),
    Buffer.from(`${JSON.stringify(stored)}\n`),
    ...parts,
  ]);
  bytes.write(`${FORMAT} ${await checksum(bytes, turns)}\n`);
  return bytes;
}

/** `undefined` if not every byte is as it was written. */
export async function decodeJournal(bytes: Buffer, turns: Turns): Promise<Journal | undefined> {
  const first = `${FORMAT} ${await checksum(bytes, turns)}\n`;
  if (bytes.toString('latin1', 0, FIRST_LINE) !== first) return undefined;
  const start = bytes.indexOf(NEWLINE, FIRST_LINE);
  const stored = JSON.parse(bytes.toString('utf8', FIRST_LINE, start)) as Stored;
  let offset = start + 1;
  const take = (size: number | null): Contents => {
    if (size === null) return undefined;
    offset += size;
    return bytes.subarray(offset - size, offset);
  };
  const writes = stored.writes.map((write) => {
    const before = take(write.before);
    return { ...write, before, after: take(write.after) };
  });
  return { ...stored, writes };
}

async function checksum(bytes: Buffer, turns: Turns): Promise<string> {
  const hash = createHash('sha256');
  for (let offset = FIRST_LINE; offset < bytes.length; offset += PIECE) {
    hash.update(bytes.subarray(offset, offset + PIECE));
    if (turns.isOver) await turns.next();
  }
  return hash.digest('hex');
}
