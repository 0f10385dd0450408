import { BatonError, describeError } from '@baton/core';
import { type EditorHost, EditorLink, type LinkAddress } from '@baton/editor/link';
import type { Log } from '../log.ts';
import { createWindowEditor, type InTurn } from './window-editor.ts';

/** Where the processes that this window starts find it. */
export class WindowLink {
  readonly #link: EditorLink;
  readonly #log: Log;
  readonly #editors = new Map<string, EditorHost>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
    this.#link = new EditorLink({
      hostFor: (root) => this.#editorFor(root),
      onFault: this.#onFault,
    });
  }

  get address(): LinkAddress {
    return this.#link.address;
  }

  /** Called when a process is about to start that may ask. */
  open(): void {
    this.#link.open().catch(this.#onFault);
  }

  dispose(): void {
    this.#link.close();
  }

  #editorFor(root: string): EditorHost {
    const known = this.#editors.get(root);
    if (known) return known;
    const editor = createWindowEditor(root, this.#inTurn);
    this.#editors.set(root, editor);
    return editor;
  }

  readonly #inTurn: InTurn = (work, signal) => {
    const result = this.#last.then(() => (signal ? unlessAborted(work, signal) : work()));
    this.#last = result.catch(() => {});
    return result;
  };

  readonly #onFault = (error: unknown): void => {
    this.#log.write('error', describeError(error));
  };
}

function unlessAborted<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new BatonError('cancelled', 'It was cancelled.', 'Call again.'));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}
