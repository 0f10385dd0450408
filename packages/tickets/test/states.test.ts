import { expect, test } from 'vitest';
import { canBecome, TICKET_STATES, TICKET_TRANSITIONS, type TicketState } from '../src/states.ts';

/** One line for each state: where it can lead. */
function lines(): string[] {
  return TICKET_STATES.map((state) => {
    const ways: readonly (readonly string[])[] = Object.values(TICKET_TRANSITIONS[state]);
    return `${state} → ${[...new Set(ways.flat())].sort().join(' ')}`;
  });
}

test('the ways between states are these', () => {
  expect(lines()).toEqual([
    'waiting → blocked cancelled done ready',
    'ready → blocked cancelled claimed done waiting',
    'claimed → blocked cancelled done failed ready verifying waiting',
    'verifying → blocked cancelled claimed done ready waiting',
    'blocked → cancelled done ready waiting',
    'done → ready waiting',
    'failed → cancelled done ready waiting',
    'cancelled → ready waiting',
  ]);
});

test('every state can be reached from a new ticket, and left again', () => {
  const reached = new Set<TicketState>(['ready']);
  for (const from of reached) {
    for (const to of TICKET_STATES) if (canBecome(from, to)) reached.add(to);
  }
  expect([...reached].sort()).toEqual([...TICKET_STATES].sort());
  for (const state of TICKET_STATES) {
    expect(TICKET_STATES.some((to) => to !== state && canBecome(state, to))).toBe(true);
  }
});

test('only what somebody has can be verified, and only what was free can be claimed', () => {
  const into = (to: TicketState) =>
    TICKET_STATES.filter((from) => from !== to && canBecome(from, to));
  expect(into('verifying')).toEqual(['claimed']);
  expect(into('claimed')).toEqual(['ready', 'verifying']);
});
