import type { ServerResponse } from 'node:http';
import type { Message } from './messages.ts';

/** The answer to one HTTP request: JSON, or a stream if something has to be said before. */
export class Exchange {
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    this.#headers = headers;
  }

  /** Called if the client leaves before it has its answer. */
  onGone(gone: () => void): void {
    this.#response.on('close', () => {
      if (!this.#response.writableEnded) gone();
    });
  }

  stream(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, { ...this.#headers, 'content-type': 'text/event-stream' });
    this.#response.flushHeaders();
  }

  push(message: Message): void {
    this.stream();
    this.#response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  answer(message: Message, status = 200): void {
    if (this.#response.headersSent) {
      this.push(message);
      this.#response.end();
      return;
    }
    this.#response.writeHead(status, { ...this.#headers, 'content-type': 'application/json' });
    this.#response.end(JSON.stringify(message));
  }

  /** An answer without a message. */
  end(status: number): void {
    if (!this.#response.headersSent) this.#response.writeHead(status, this.#headers);
    this.#response.end();
  }
}
