import { crc32 } from 'node:zlib';
import { Segment, type SegmentArrays } from './segment.ts';

/** Changes whenever words are cut, weighed or stored in another way: older files are made anew. */
export const FORMAT = 1;
const MAGIC = 0x4b_4e_4f_57;
/** Magic, format, checksum, length of the table of contents. */
const HEAD_BYTES = 16;

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

const TYPES: Readonly<
  Record<keyof SegmentArrays, new (buffer: ArrayBuffer, at: number, length: number) => NumberArray>
> = {
  termOffsets: Uint32Array,
  termBytes: Uint8Array,
  postingStarts: Uint32Array,
  postingEntries: Uint16Array,
  postingValues: Uint8Array,
  lineStarts: Uint32Array,
  lines: Uint32Array,
  wordOffsets: Uint32Array,
  wordBytes: Uint8Array,
  recordOffsets: Uint32Array,
  recordBytes: Uint8Array,
  names: Uint8Array,
  stamps: Float64Array,
};
const NAMES = Object.keys(TYPES) as (keyof SegmentArrays)[];

interface Contents {
  readonly [name: string]: { readonly at: number; readonly length: number };
}

/** A segment as bytes: its arrays one after another, ready to be used where they lie. */
export function encodeSegment({ arrays }: Segment): Uint8Array {
  const contents: Record<string, { at: number; length: number }> = {};
  let at = 0;
  for (const name of NAMES) {
    const { length, byteLength } = arrays[name];
    contents[name] = { at, length };
    at = aligned(at + byteLength);
  }
  const table = Buffer.from(JSON.stringify(contents));
  const start = aligned(HEAD_BYTES + table.length);
  const bytes = new Uint8Array(start + at);
  bytes.set(table, HEAD_BYTES);
  for (const name of NAMES) {
    const { buffer, byteOffset, byteLength } = arrays[name];
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), start + (contents[name]?.at ?? 0));
  }
  const head = new Uint32Array(bytes.buffer, 0, HEAD_BYTES / 4);
  head.set([MAGIC, FORMAT, checksum(bytes.buffer, table.length), table.length]);
  return bytes;
}

/** `undefined` if these are not the bytes of a segment of this format, whole and unchanged. */
export function decodeSegment(bytes: Uint8Array): Segment | undefined {
  const buffer = ownBuffer(bytes);
  if (buffer.byteLength < HEAD_BYTES || buffer.byteLength % 8 !== 0) return undefined;
  const [magic, format, sum, tableLength = 0] = new Uint32Array(buffer, 0, HEAD_BYTES / 4);
  if (magic !== MAGIC || format !== FORMAT || sum !== checksum(buffer, tableLength)) {
    return undefined;
  }
  const table = Buffer.from(buffer, HEAD_BYTES, tableLength).toString('utf8');
  const contents = JSON.parse(table) as Contents;
  if (NAMES.some((name) => !contents[name])) return undefined;
  const start = aligned(HEAD_BYTES + tableLength);
  const arrays = Object.fromEntries(
    NAMES.map((name) => {
      const { at = 0, length = 0 } = contents[name] ?? {};
      return [name, new TYPES[name](buffer, start + at, length)];
    }),
  );
  return new Segment(arrays as unknown as SegmentArrays);
}

function aligned(at: number): number {
  return Math.ceil(at / 8) * 8;
}

/** Where numbers of eight bytes can be read: at the beginning of a buffer. */
function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  const isOwn = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  // Not `slice`: that of a Node buffer shares its memory with others.
  return (isOwn ? bytes.buffer : new Uint8Array(bytes).buffer) as ArrayBuffer;
}

/** Over everything but itself. */
function checksum(buffer: ArrayBufferLike, tableLength: number): number {
  return crc32(Buffer.from(buffer, HEAD_BYTES), tableLength);
}
