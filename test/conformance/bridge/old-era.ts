import { randomUUID } from 'node:crypto';
import type { Exchange } from './exchange.ts';
import { type Command, LineProcess } from './line-process.ts';
import { type Id, type Message, metaOf } from './messages.ts';

interface Call {
  readonly progressToken: unknown;
  readonly exchange: Exchange;
}

/** A session of the old era: a process of its own, as a client that starts one would have. */
export class OldSession implements AsyncDisposable {
  readonly id = randomUUID();
  readonly #process: LineProcess;
  readonly #calls = new Map<Id, Call>();
  #standalone: Exchange | undefined;

  constructor(command: Command) {
    this.#process = new LineProcess(command, (message) => this.#take(message));
  }

  post(message: Message, exchange: Exchange): void {
    if (message.method === undefined || message.id === undefined || message.id === null) {
      this.#process.send(message);
      exchange.end(202);
      return;
    }
    this.#calls.set(message.id, { progressToken: metaOf(message).progressToken, exchange });
    this.#process.send(message);
  }

  /** The stream for what belongs to no call. */
  listen(exchange: Exchange): void {
    this.#standalone = exchange;
    exchange.stream();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#standalone?.end(200);
    await this.#process[Symbol.asyncDispose]();
  }

  #take(message: Message): void {
    if (message.method !== undefined) {
      this.#streamFor(message)?.push(message);
      return;
    }
    const id = message.id as Id;
    this.#calls.get(id)?.exchange.answer(message);
    this.#calls.delete(id);
  }

  /** Progress names its call; everything else goes out where a call waits, else on the side. */
  #streamFor({ params }: Message): Exchange | undefined {
    const calls = [...this.#calls.values()];
    const token = params?.progressToken;
    const call =
      token === undefined
        ? calls.at(-1)
        : calls.find(({ progressToken }) => progressToken === token);
    return call?.exchange ?? this.#standalone;
  }
}
