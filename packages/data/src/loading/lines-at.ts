import { createReadStream } from 'node:fs';

/** The lines in which bytes of a file are. */
export async function linesAt(file: string, offsets: readonly number[]): Promise<number[]> {
  const breaks = offsets.map(() => 0);
  let start = 0;
  const last = Math.max(...offsets);
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
    if (start > last) break;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
      for (const [which, offset] of offsets.entries()) {
        if (start + at < offset) breaks[which] = (breaks[which] ?? 0) + 1;
      }
    }
    start += bytes.length;
  }
  return breaks.map((count) => count + 1);
}
