import type { Exchange } from './exchange.ts';
import { hasEnvelope, statusOf } from './http-rules.ts';
import { type Command, LineProcess } from './line-process.ts';
import { type Id, type Message, metaOf, withMeta } from './messages.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

interface Call {
  readonly request: Message;
  readonly exchange: Exchange;
}

/**
 * The new era has no sessions: one process serves every request. Clients choose their ids and
 * progress tokens without knowing of each other, so each request gets one of the bridge's own.
 */
export class NewEra implements AsyncDisposable {
  readonly #process: LineProcess;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;

  constructor(command: Command) {
    this.#process = new LineProcess(command, (message) => this.#take(message));
    // As clients do: from here on the process speaks the new era, whatever comes.
    for (const method of ['server/discover', 'tools/list']) this.#process.send(opening(method));
  }

  post(request: Message, exchange: Exchange): void {
    if (request.id === undefined) {
      this.#process.send(request);
      exchange.end(202);
      return;
    }
    this.#lastId += 1;
    const id = this.#lastId;
    this.#calls.set(id, { request, exchange });
    exchange.onGone(() => {
      if (!this.#calls.delete(id)) return;
      const params = { requestId: id, reason: 'the client has gone' };
      this.#process.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    });
    const hasToken = metaOf(request).progressToken !== undefined;
    this.#process.send({ ...(hasToken ? withMeta(request, { progressToken: id }) : request), id });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }

  #take(message: Message): void {
    if (message.method !== undefined) {
      this.#forward(message);
      return;
    }
    const call = this.#calls.get(message.id as number);
    if (!call) return; // An answer to an opening of ours, or for somebody who has gone.
    this.#calls.delete(message.id as number);
    const reply = { ...message, id: call.request.id as Id };
    call.exchange.answer(reply, statusOf(reply, hasEnvelope(call.request)));
  }

  /** A notification goes to the request that it belongs to, in that request's own terms. */
  #forward(message: Message): void {
    const { [SUBSCRIPTION]: subscription } = metaOf(message);
    const token = message.params?.progressToken;
    if (subscription !== undefined) {
      const call = this.#calls.get(Number(subscription));
      call?.exchange.push(withMeta(message, { [SUBSCRIPTION]: call.request.id }));
    } else if (token !== undefined) {
      const call = this.#calls.get(Number(token));
      const { progressToken } = call ? metaOf(call.request) : {};
      call?.exchange.push({ ...message, params: { ...message.params, progressToken } });
    } else {
      const asked = [...this.#calls.values()].filter(({ request }) => metaOf(request)[LOG_LEVEL]);
      asked.at(-1)?.exchange.push(message);
    }
  }
}

function opening(method: string): Message {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { jsonrpc: '2.0', id: `opening ${method}`, method, params: { _meta } };
}
