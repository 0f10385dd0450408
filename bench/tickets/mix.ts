import type { Ticket } from '@baton/tickets/work';
import { createRandom, randomText, wordOf } from './words.ts';

/** A ticket with all that lies in other tables. */
export interface MadeTicket {
  readonly ticket: Ticket;
  readonly labels: readonly string[];
  readonly needs: readonly string[];
}

/** Which share of the tickets has each label. */
const LABELS = {
  backend: 0.5,
  frontend: 0.3,
  bug: 0.2,
  docs: 0.1,
  test: 0.05,
  build: 0.02,
  security: 0.01,
  release: 0.005,
  licence: 0.002,
  audit: 0.001,
} as const;
export const COMMON_LABEL = 'backend';
export const RARE_LABEL = 'audit';

/** In about half of the tickets, in every eighth, in 2 %, and in one or two of a thousand. */
export const COMMON_WORD = wordOf(10);
export const TWO_WORDS = `${wordOf(50)} ${wordOf(300)}`;
export const RARE_WORD = wordOf(4_000);
const SOUGHT = [COMMON_WORD, TWO_WORDS, RARE_WORD].join(' ');

const DONE_SHARE = 0.7;
const NOW = Date.UTC(2026, 0, 1);
const LEASE_MS = 7 * 24 * 60 * 60 * 1000;

/** What lies in a workspace after some years: most of it is done, the rest in every state. */
export function* usedTickets(workspace: string, count: number): Generator<MadeTicket> {
  const random = createRandom(count);
  const recent: Ticket[] = [];
  for (let number = 1; number <= count; number += 1) {
    const made = madeTicket(workspace, number, random, number === 1 ? 'ready' : undefined);
    const needs = needsOf(made.ticket, recent, random);
    recent.push(made.ticket);
    if (recent.length > 50) recent.shift();
    yield { ...made, needs };
  }
}

/** Work that anybody can take, and nothing else. */
export function* readyTickets(workspace: string, count: number): Generator<MadeTicket> {
  const random = createRandom(count);
  for (let number = 1; number <= count; number += 1) {
    yield madeTicket(workspace, number, random, 'ready');
  }
}

function madeTicket(
  workspace: string,
  number: number,
  random: () => number,
  wanted?: 'ready',
): MadeTicket {
  const state = wanted ?? randomState(random);
  const isFirst = number === 1;
  const body = randomText(random, 200 + random() * 400);
  const labels = Object.entries(LABELS).flatMap(([label, share]) =>
    isFirst || random() < share ? [label] : [],
  );
  const ticket: Ticket = {
    seq: number,
    id: crypto.randomUUID(),
    workspace,
    number,
    title: randomText(random, 30 + random() * 30),
    // One that is ready has everything that is looked for, however few tickets there are.
    body: isFirst ? `${body} ${SOUGHT}` : body,
    kind: wanted ? 'agent' : randomKind(random),
    state,
    priority: 1 + Math.floor(random() * 5),
    parent_id: null,
    assignee: !wanted && random() < 0.05 ? 'anna' : null,
    waits_for: state === 'blocked' ? 'anna' : '',
    resolution: state === 'done' ? randomText(random, 80) : '',
    version: state === 'done' ? 3 : 1,
    checks: '[]',
    max_attempts: 3,
    attempts: 0,
    cycles: 0,
    run_id: null,
    ...claimOf(state, number),
    report_token: null,
    report_outcome: null,
    created_by: 'anna',
    created_at: NOW,
    updated_at: NOW,
    closed_at: state === 'done' ? NOW : null,
  };
  return { ticket, labels, needs: [] };
}

function randomState(random: () => number): Ticket['state'] {
  if (random() < DONE_SHARE) return 'done';
  const share = random();
  if (share < 0.65) return 'ready';
  if (share < 0.9) return 'waiting';
  if (share < 0.96) return 'blocked';
  return share < 0.99 ? 'failed' : 'claimed';
}

function randomKind(random: () => number): Ticket['kind'] {
  const share = random();
  if (share < 0.9) return 'agent';
  return share < 0.95 ? 'person' : 'question';
}

function claimOf(state: Ticket['state'], number: number) {
  const isHeld = state === 'claimed';
  return {
    claim_number: isHeld || state === 'done' ? 1 : 0,
    claim_token: isHeld ? `1.${crypto.randomUUID()}` : null,
    claim_agent: isHeld ? `agent-${number}` : null,
    claim_connection: null,
    claim_label: isHeld ? `agent-${number}` : '',
    claim_ms: isHeld ? LEASE_MS : 0,
    claim_beat: isHeld ? Number(process.hrtime.bigint() / 1_000_000n) : 0,
    claimed_at: isHeld ? NOW : null,
  };
}

/** What waits needs something open, and what is done may have needed something that is done. */
function needsOf(ticket: Ticket, recent: readonly Ticket[], random: () => number): string[] {
  const isDone = ticket.state === 'done';
  if (ticket.state !== 'waiting' && !(isDone && random() < 0.2)) return [];
  const possible = recent.filter(({ state }) => (state === 'done') === isDone);
  const count = Math.min(possible.length, random() < 0.7 ? 1 : 2);
  return possible.slice(-count).map(({ id }) => id);
}
