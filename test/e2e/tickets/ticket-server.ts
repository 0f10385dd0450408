import type { Reply } from '@baton/testkit';
import { PlanServer, type Result } from '../plans/plan-server.ts';
import type { PlanWorld, StartOptions } from '../plans/plan-world.ts';

const WAIT_SECONDS = 50;

interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: object;
}

export const YES: Answer = { action: 'accept', content: { yes: true } };
export const NO: Answer = { action: 'accept', content: { yes: false } };
export const DECLINED: Answer = { action: 'decline' };

/** A server over stdio, with words for tickets. */
export class TicketServer extends PlanServer {
  /** The reference of a new ticket. */
  async ticket(title: string, more: object = {}): Promise<string> {
    return (await this.call('ticket_create', { title, ...more })).id;
  }

  next(query: object = {}): Promise<Result> {
    return this.call('ticket_next', query);
  }

  /** Waits until there is a ticket to be had. */
  nextSoon(query: object = {}): Promise<Result> {
    return this.next({ waitSeconds: WAIT_SECONDS, ...query });
  }

  report(id: string, token: string | undefined, more: object = {}): Promise<Result> {
    return this.call('ticket_report', {
      id,
      ...(token !== undefined && { token }),
      outcome: 'done',
      summary: 'Did it.',
      ...more,
    });
  }

  update(id: string, change: object = {}): Promise<Result> {
    return this.call('ticket_update', { id, ...change });
  }

  async find(id: string, more: object = {}): Promise<Result> {
    return (await this.call('ticket_find', { id, ...more })).ticket;
  }

  async list(query: object = {}): Promise<Result[]> {
    return (await this.call('ticket_find', query)).tickets;
  }

  async inbox(): Promise<Result[]> {
    return this.list({ inbox: 'here' });
  }

  /** What happened, oldest first, without the times. */
  async history(id: string): Promise<string[]> {
    const { history } = await this.call('ticket_find', { id, history: true });
    return history.map((line: string) => line.replace(/ \([^()]*Z\)$/, ''));
  }

  /** From now on there is a person who can be asked. */
  async withPerson(): Promise<this> {
    await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'window', version: '1' },
    });
    this.program.send({ method: 'notifications/initialized' });
    return this;
  }

  /** A call that asks the person once, who gives this answer. */
  async asked(
    name: string,
    args: object,
    answer: Answer,
  ): Promise<{ readonly question: string; readonly result: Result }> {
    const isQuestion = ({ method }: Reply) => method === 'elicitation/create';
    const before = this.program.replies.filter(isQuestion).length;
    const reply = this.request('tools/call', { name, arguments: args });
    const question = await this.program.until('a question', () =>
      this.program.replies.filter(isQuestion).at(before),
    );
    this.program.send({ id: question.id, result: answer });
    return { question: question.params.message, result: (await reply).result };
  }
}

export function ticketServer(
  world: PlanWorld,
  worker: 'auto' | 'off' = 'off',
  options: StartOptions = {},
): TicketServer {
  return new TicketServer(world.server(worker, options).program);
}
