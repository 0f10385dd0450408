import { createInterface } from 'node:readline';
import { BatonError } from '@baton/core';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

type Operation = (...parameters: never[]) => Promise<unknown>;

/** Tells the test something that it has not asked for. A pipe takes it at once, so that it is
 * out before a `kill -9` that comes later. */
export function say(method: string, params: object): void {
  write({ method, params });
}

/** Answers each line of input with a line of output, and ends with the input. */
export function serveRequests(operations: object): void {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => void answer(operations as Record<string, Operation>, line));
  lines.on('close', () => process.exit());
}

async function answer(operations: Record<string, Operation>, line: string): Promise<void> {
  const { id, method, params } = JSON.parse(line) as Request;
  try {
    const result = await operations[method]?.(...(params as never[]));
    write({ id, result: result ?? null });
  } catch (error) {
    write({ id, error: describe(error) });
  }
}

function describe(error: unknown): object {
  if (error instanceof BatonError) {
    const { code, message, next } = error;
    return { code: 0, message, data: { code, next } };
  }
  return { code: 1, message: error instanceof Error ? (error.stack ?? '') : String(error) };
}

function write(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
