import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const STORED = 0;

/** The files of a .vsix, which is a zip, without a program that would have to be installed. */
export function readZip(file: string): Map<string, Buffer> {
  const bytes = readFileSync(file);
  let end = bytes.length - 22;
  while (bytes.readUInt32LE(end) !== END) end -= 1;
  const files = new Map<string, Buffer>();
  let entry = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extra, comment] = [28, 30, 32].map((at) => bytes.readUInt16LE(entry + at));
    const name = bytes.toString('utf8', entry + 46, entry + 46 + (nameLength ?? 0));
    const local = bytes.readUInt32LE(entry + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(entry + 20));
    const isStored = bytes.readUInt16LE(entry + 10) === STORED;
    files.set(name, isStored ? packed : inflateRawSync(packed));
    entry += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
