import type { Readable } from 'node:stream';

/**
 * What a person types, up to the end of the line; `undefined` if the input ends or the wait does
 * before there is any. What follows the line is left for whoever reads next.
 */
export async function readLine(input: Readable, signal?: AbortSignal): Promise<string | undefined> {
  let typed = '';
  // Leaving the loop must not close the terminal: there may be another question.
  const chunks = input.iterator({ destroyOnReturn: false });
  const aborted = new Promise<{ done: true; value: undefined }>((resolve) => {
    signal?.addEventListener('abort', () => resolve({ done: true, value: undefined }));
  });
  while (!typed.includes('\n')) {
    const { done, value } = await Promise.race([chunks.next(), aborted]);
    if (done) return typed === '' || signal?.aborted ? undefined : typed;
    typed += value;
  }
  await chunks.return?.();
  const end = typed.indexOf('\n');
  if (end + 1 < typed.length) input.unshift(Buffer.from(typed.slice(end + 1)));
  return typed.slice(0, end).replace(/\r$/, '');
}

/** Asks for a yes; everything else is a no. */
export function isYes(typed: string | undefined): boolean {
  return /^y(es)?$/i.test((typed ?? '').trim());
}
