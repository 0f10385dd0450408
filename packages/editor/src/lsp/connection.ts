import { BatonError } from '@baton/core';
import { FrameReader, frame } from './framing.ts';
import { type ServerCommand, ServerProcess } from './server-process.ts';

/** What the server refuses, in its words. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The process has ended while somebody waited for it. */
export class ServerEnded extends Error {
  override readonly name = 'ServerEnded';
}

/** Answers what the server asks of us. */
export type Answer = (method: string, params: unknown) => unknown;

interface Waiting {
  readonly isAwaited: boolean;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export interface Asked {
  readonly signal?: AbortSignal | undefined;
  /** Whether this process has to live until it is answered. */
  readonly isAwaited?: boolean;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A language server that runs, and the questions that wait for it. */
export class Connection {
  readonly #process: ServerProcess;
  readonly #reader = new FrameReader();
  readonly #waiting = new Map<number, Waiting>();
  readonly #answer: Answer;
  readonly #onEnd: () => void;
  #lastId = 0;
  #ended: ServerEnded | undefined;

  constructor(command: ServerCommand, cwd: string, answer: Answer, onEnd: () => void) {
    this.#answer = answer;
    this.#onEnd = onEnd;
    this.#process = new ServerProcess(command, cwd, {
      output: (chunk) => this.#onOutput(chunk),
      ended: (why) => this.#end(why),
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  request<Result>(
    method: string,
    params: unknown,
    { signal, isAwaited = true }: Asked = {},
  ): Promise<Result> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (signal?.aborted) return Promise.reject(cancelled(signal));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Result>((resolve, reject) => {
      const onAbort = () => {
        this.notify('$/cancelRequest', { id });
        settle();
        reject(cancelled(signal));
      };
      const settle = () => {
        signal?.removeEventListener('abort', onAbort);
        this.#waiting.delete(id);
        this.#holdProcess();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(id, {
        isAwaited,
        resolve: (result) => {
          settle();
          resolve(result as Result);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      this.#holdProcess();
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    if (!this.#ended) this.#send({ method, params });
  }

  /** At once: a server keeps nothing that would be lost. */
  end(): void {
    this.#process.kill();
    this.#end(new Error('it was told to end'));
  }

  #holdProcess(): void {
    this.#process.isAwaited = [...this.#waiting.values()].some(({ isAwaited }) => isAwaited);
  }

  #send(message: object): void {
    this.#process.write(frame({ jsonrpc: '2.0', ...message }));
  }

  #onOutput(chunk: Buffer): void {
    try {
      for (const message of this.#reader.read(chunk)) this.#onMessage(message as Message);
    } catch (cause) {
      this.#process.kill();
      this.#end(new Error('The language server does not keep to the protocol.', { cause }));
    }
  }

  #onMessage({ id, method, params, result, error }: Message): void {
    if (method !== undefined) {
      if (id !== undefined) this.#send({ id, result: this.#answer(method, params) ?? null });
      return;
    }
    const waiting = this.#waiting.get(Number(id));
    if (error) waiting?.reject(new ServerRefusal(error.code, error.message));
    else waiting?.resolve(result);
  }

  #end(cause: Error): void {
    if (this.#ended) return;
    this.#ended = new ServerEnded(cause.message, { cause });
    for (const waiting of [...this.#waiting.values()]) waiting.reject(this.#ended);
    this.#onEnd();
  }
}

function cancelled(signal: AbortSignal | undefined): Error {
  const { reason } = signal ?? {};
  if (reason instanceof BatonError) return reason;
  return new BatonError(
    'cancelled',
    'The call was cancelled.',
    'Call again if it is still wanted.',
  );
}
