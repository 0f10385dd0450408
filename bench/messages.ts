interface Answer {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly error?: unknown;
  readonly result?: {
    readonly tools?: readonly { readonly name?: unknown }[];
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: unknown }[];
    readonly structuredContent?: { readonly store?: { readonly isReady?: unknown } };
  };
}

type Check = (answer: Answer) => boolean;

function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

export function statusCall(id: number, args: object, meta?: object): string {
  const params = { ...(meta && { _meta: meta }), name: 'status', arguments: args };
  return line({ id, method: 'tools/call', params });
}

export const clientInfo = { name: 'bench', version: '0' };
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
const initialize = line({ id: 0, method: 'initialize', params: hello });
const initialized = line({ method: 'notifications/initialized' });

export const INITIALIZE = Buffer.from(initialize);
export const INITIALIZED = Buffer.from(initialized);
export const HANDSHAKE = Buffer.from(
  initialize + initialized + line({ id: 1, method: 'tools/list' }),
);

export function statusCalls(count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, id) => statusCall(id, {})).join(''));
}

/** One line of exactly so many bytes. No server takes the argument: it only has to be read. */
export function largeCall(bytes: number): Buffer {
  const envelope = statusCall(0, { pad: '' });
  return Buffer.from(statusCall(0, { pad: 'x'.repeat(bytes - envelope.length) }));
}

export const isResult: Check = ({ result }) => result !== undefined;

export const isHandshake: Check = ({ id, result }) =>
  result !== undefined &&
  (id === 0 || result.tools?.some(({ name }) => name === 'status') === true);

export const isStatus: Check = ({ result }) =>
  result?.isError !== true &&
  typeof result?.content?.[0]?.text === 'string' &&
  result.structuredContent?.store?.isReady === true;

export const isAnything: Check = ({ result, error }) => result !== undefined || error !== undefined;

/** Exactly one answer for each of the ids 0 … count - 1, in any order, each as it should be. */
export function checkAnswers(lines: readonly string[], count: number, isRight: Check): void {
  if (lines.length !== count) throw new Error(`${lines.length} answers instead of ${count}`);
  const missing = new Set(Array.from({ length: count }, (_, id) => id));
  for (const text of lines) {
    const answer = parse(text);
    const isExpected = answer.jsonrpc === '2.0' && missing.delete(answer.id as number);
    if (!isExpected || !isRight(answer)) throw new Error(`wrong: ${text.slice(0, 300)}`);
  }
}

function parse(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new Error(`not JSON: ${text.slice(0, 300)}`);
  }
}
