/**
 * Every state of a ticket, and every way from one to another. Nothing else happens here; only a
 * file that is imported may tell of other ways, which a ticket went somewhere else.
 */
export const TICKET_TRANSITIONS = {
  /** Something that it needs, or a part of it, is still open. */
  waiting: { free: ['ready'], block: ['blocked'], decide: ['done'], cancel: ['cancelled'] },
  /** Whoever asks next may have it. */
  ready: {
    hold: ['waiting'],
    claim: ['claimed'],
    block: ['blocked'],
    decide: ['done'],
    cancel: ['cancelled'],
  },
  /** Somebody works on it, for as long as the lease lasts. */
  claimed: {
    done: ['verifying', 'done'],
    partial: ['ready', 'waiting'],
    fail: ['ready', 'waiting', 'failed'],
    block: ['blocked', 'waiting'],
    expire: ['ready', 'waiting', 'failed'],
    take: ['ready', 'waiting'],
    decide: ['done'],
    cancel: ['cancelled'],
  },
  /** Reported as done; its checks run. Whoever reported it keeps it meanwhile. */
  verifying: {
    pass: ['done'],
    reject: ['claimed', 'blocked'],
    take: ['ready', 'waiting'],
    decide: ['done'],
    cancel: ['cancelled'],
  },
  /** Waits for somebody or something outside, which `waitsFor` names. */
  blocked: { free: ['ready', 'waiting'], decide: ['done'], cancel: ['cancelled'] },
  done: { reopen: ['ready', 'waiting'] },
  /** Tried as often as it may be: a person decides. */
  failed: { reopen: ['ready', 'waiting'], decide: ['done'], cancel: ['cancelled'] },
  /** Not wanted any more, or the same as another one. */
  cancelled: { reopen: ['ready', 'waiting'] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export type TicketState = keyof typeof TICKET_TRANSITIONS;
export const TICKET_STATES = Object.keys(TICKET_TRANSITIONS) as [TicketState, ...TicketState[]];

/** What somebody can make of a ticket by hand. The rest follows from claims, reports and needs. */
export const SETTABLE = ['ready', 'blocked', 'done', 'cancelled'] as const;

export function canBecome(from: TicketState, to: TicketState): boolean {
  const ways: readonly (readonly string[])[] = Object.values(TICKET_TRANSITIONS[from]);
  return from === to || ways.some((targets) => targets.includes(to));
}

/** Nobody will work on it unless somebody opens it again. */
export function isClosed(state: TicketState): boolean {
  return state === 'done' || state === 'cancelled';
}

/** Somebody has it. */
export function isHeld(state: TicketState): boolean {
  return state === 'claimed' || state === 'verifying';
}

/** It goes on without a person: whoever waits for it will see a change. */
export function isMoving(state: TicketState): boolean {
  return !isClosed(state) && state !== 'failed' && state !== 'blocked';
}
