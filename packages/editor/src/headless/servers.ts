import { BatonError, type Log, truncate } from '@baton/core';
import { ServerEnded, ServerRefusal } from '../lsp/connection.ts';
import { LanguageServer, type ServerKind } from '../lsp/language-server.ts';
import type { WorkspaceUris } from '../lsp/workspace-uris.ts';
import type { TreeChanges } from '../tree/workspace-tree.ts';

/** A server that nobody has asked for so long is ended. */
const IDLE_MS = 10 * 60 * 1000;

export interface ServersOptions {
  readonly uris: WorkspaceUris;
  readonly root: string;
  readonly log: Log;
  readonly idleMs?: number;
}

/** The language servers of a workspace: started on first use, replaced when they end, one at work at a time. */
export class Servers {
  readonly #options: ServersOptions;
  readonly #running = new Map<string, Promise<LanguageServer>>();
  #work: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ServersOptions) {
    this.#options = options;
  }

  /**
   * Has a server to itself: what is opened there for one question must not be seen by another. If
   * it ends meanwhile, another is asked.
   */
  use<Result>(
    kind: ServerKind,
    work: (server: LanguageServer) => Promise<Result>,
  ): Promise<Result> {
    const next = this.#work.catch(() => {}).then(() => this.#useAgain(kind, work));
    this.#work = next;
    return next;
  }

  /**
   * Work that nobody waits for, with those that run; who asks next comes after it. What goes wrong
   * is met again, and told, by whoever asks.
   */
  meanwhile(work: (server: LanguageServer) => Promise<void>): void {
    const all = async () => {
      for (const starting of this.#running.values()) await work(await starting);
    };
    this.#work = this.#work
      .catch(() => {})
      .then(all)
      .catch(() => {});
  }

  tell(changes: TreeChanges): void {
    for (const starting of this.#running.values())
      starting.then(
        (server) => server.tell(changes),
        () => {},
      );
  }

  /** The next question starts them anew. */
  end(): void {
    for (const starting of this.#running.values())
      starting.then(
        (server) => server.end(),
        () => {},
      );
    this.#running.clear();
  }

  async #useAgain<Result>(
    kind: ServerKind,
    work: (server: LanguageServer) => Promise<Result>,
  ): Promise<Result> {
    clearTimeout(this.#idle);
    try {
      return await work(await this.#serverOf(kind)).catch(async (error: unknown) => {
        if (!(error instanceof ServerEnded)) throw error;
        this.#options.log.write('warn', `${error.message} It is started again.`);
        return work(await this.#serverOf(kind));
      });
    } catch (error) {
      if (error instanceof ServerEnded) throw ended(kind, error);
      throw error instanceof ServerRefusal ? unanswered(kind, error) : error;
    } finally {
      this.#idle = setTimeout(() => this.end(), this.#options.idleMs ?? IDLE_MS).unref();
    }
  }

  #serverOf(kind: ServerKind): Promise<LanguageServer> {
    const known = this.#running.get(kind.name);
    if (known) return known;
    const forget = () => {
      if (this.#running.get(kind.name) === starting) this.#running.delete(kind.name);
    };
    const starting = LanguageServer.start(kind, { ...this.#options, onEnd: () => forget() });
    this.#running.set(kind.name, starting);
    starting.catch(forget);
    return starting;
  }
}

/** It was asked about what it does not understand, or has a fault of its own. */
function unanswered({ name }: ServerKind, cause: ServerRefusal): BatonError {
  return new BatonError(
    'language_server_failed',
    `${name} could not answer: ${truncate(cause.message, 300)} Nothing was changed.`,
    'Try once more; if it fails again, change these files by hand.',
    { cause },
  );
}

function ended({ name, executable }: ServerKind, cause: Error): BatonError {
  return new BatonError(
    'language_server_failed',
    `${name} ended while it was asked: ${cause.message}`,
    `Try once more. If it ends again, see whether ${executable} runs on this machine; nothing was changed.`,
    { cause },
  );
}
