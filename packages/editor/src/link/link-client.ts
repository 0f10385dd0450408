import { connect } from 'node:net';
import { BatonError } from '@baton/core';
import type { EditorHost, Method } from './editor-host.ts';
import { type Answer, type LinkAddress, MOST_BYTES } from './messages.ts';
import { Wire } from './wire.ts';

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

type Asked<M extends Method> = Parameters<EditorHost[M]>[0];
type Result<M extends Method> = Awaited<ReturnType<EditorHost[M]>>;

/** Asks the editor that has started this process. Connects on first use, and again if it has to. */
export class LinkClient {
  readonly #address: LinkAddress;
  readonly #root: string;
  readonly #waiting = new Map<number, Waiting>();
  #wire: Wire | undefined;
  #lastId = 0;

  constructor(address: LinkAddress, root: string) {
    this.#address = address;
    this.#root = root;
  }

  ask<M extends Method>(method: M, asked: Asked<M>, signal?: AbortSignal): Promise<Result<M>> {
    if (signal?.aborted) return Promise.reject(cancelled(signal));
    const wire = this.#connected();
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Result<M>>((resolve, reject) => {
      const onAbort = () => {
        wire.send({ cancelled: id });
        settle();
        reject(cancelled(signal));
      };
      const settle = () => {
        signal?.removeEventListener('abort', onAbort);
        this.#waiting.delete(id);
        wire.isAwaited = this.#waiting.size > 0;
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(id, {
        resolve: (result) => {
          settle();
          resolve(result as Result<M>);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      wire.isAwaited = true;
      wire.send({ id, method, asked });
    });
  }

  close(): void {
    this.#wire?.end();
  }

  #connected(): Wire {
    if (this.#wire) return this.#wire;
    const { path, token } = this.#address;
    const wire: Wire = new Wire(connect(path), MOST_BYTES, {
      message: (message) => this.#onAnswer(message as Answer),
      ended: () => this.#onEnd(wire),
    });
    this.#wire = wire;
    wire.send({ token, root: this.#root });
    return wire;
  }

  #onAnswer({ id, result, error }: Answer): void {
    const waiting = this.#waiting.get(id);
    if (error) waiting?.reject(new BatonError(error.code, error.message, error.next));
    else waiting?.resolve(result);
  }

  /** All questions that wait were asked here: a new connection begins only after this. */
  #onEnd(wire: Wire): void {
    if (this.#wire === wire) this.#wire = undefined;
    for (const waiting of [...this.#waiting.values()]) waiting.reject(gone());
  }
}

function gone(): BatonError {
  return new BatonError(
    'editor_gone',
    'The window of VS Code that this belongs to has been closed or reloaded. What it was doing may be done or not.',
    'Look at the files, then call again in a window that is open.',
  );
}

function cancelled(signal: AbortSignal | undefined): unknown {
  const { reason } = signal ?? {};
  if (reason instanceof BatonError) return reason;
  return new BatonError(
    'cancelled',
    'The call was cancelled.',
    'Call again if it is still wanted.',
  );
}
