import type { Readable } from 'node:stream';

/** What a person types, up to the end of the line or of the input. Nothing is read after it. */
export async function readLine(input: Readable): Promise<string> {
  let typed = '';
  for await (const chunk of input) {
    typed += chunk;
    if (typed.includes('\n')) break;
  }
  return typed.split('\n', 1)[0] ?? '';
}
