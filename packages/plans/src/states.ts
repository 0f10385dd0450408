/**
 * Every state of plans and jobs, and every way from one to another. Nothing else happens: the
 * simulation compares each change that it sees with these tables.
 */
export const PLAN_TRANSITIONS = {
  /** Being written; nothing runs. */
  draft: { finalize: ['pending'], archive: ['archived'] },
  /** Complete, and not started. */
  pending: {
    start: ['running'],
    wait: ['waiting'],
    hold: ['paused'],
    cancel: ['cancelled'],
    archive: ['archived'],
  },
  /** Starts when the plan before it has succeeded. */
  waiting: { start: ['running'], hold: ['paused'], cancel: ['cancelled'] },
  running: {
    pause: ['pausing', 'paused'],
    cancel: ['cancelling', 'cancelled'],
    end: ['succeeded', 'failed', 'cancelled'],
  },
  /** No job is started any more; some still run. */
  pausing: {
    idle: ['paused'],
    resume: ['running'],
    cancel: ['cancelling', 'cancelled'],
    end: ['succeeded', 'failed', 'cancelled'],
  },
  paused: {
    start: ['running'],
    resume: ['running'],
    cancel: ['cancelling', 'cancelled'],
    end: ['succeeded', 'failed', 'cancelled'],
  },
  /** Its processes are being ended. */
  cancelling: { end: ['succeeded', 'failed', 'cancelled'] },
  /** Its results can be landed elsewhere, too. */
  succeeded: { land: ['running'], archive: ['archived'] },
  failed: { retry: ['running'], archive: ['archived'] },
  cancelled: { retry: ['running'], recover: ['paused'], archive: ['archived'] },
  /** Put away; as it was when it is recovered. */
  archived: { recover: ['draft', 'pending', 'succeeded', 'failed', 'cancelled'] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export type PlanState = keyof typeof PLAN_TRANSITIONS;
export const PLAN_STATES = Object.keys(PLAN_TRANSITIONS) as [PlanState, ...PlanState[]];

export const JOB_TRANSITIONS = {
  /** Waits for its needs, or for its plan to start. */
  pending: { ready: ['ready'], block: ['blocked'], cancel: ['cancelled'], fail: ['failed'] },
  ready: {
    claim: ['scheduled'],
    rewire: ['pending', 'blocked'],
    cancel: ['cancelled'],
    fail: ['failed'],
  },
  /** A worker has it, and its process has not been started yet. */
  scheduled: {
    start: ['running'],
    /** Before its start was written down. */
    succeed: ['succeeded'],
    release: ['ready'],
    retry: ['ready'],
    lose: ['ready', 'failed'],
    fail: ['failed'],
    cancel: ['cancelled'],
  },
  running: {
    succeed: ['succeeded'],
    fail: ['failed'],
    retry: ['ready'],
    release: ['ready'],
    lose: ['ready', 'failed'],
    cancel: ['cancelled'],
  },
  succeeded: {},
  failed: { retry: ['ready', 'pending', 'blocked'] },
  /** Something that it needs has not succeeded. */
  blocked: { hope: ['pending', 'ready'], cancel: ['cancelled'], fail: ['failed'] },
  cancelled: { retry: ['ready', 'pending', 'blocked'] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export type JobState = keyof typeof JOB_TRANSITIONS;
export const JOB_STATES = Object.keys(JOB_TRANSITIONS) as [JobState, ...JobState[]];

export function canBecome<State extends string>(
  transitions: Readonly<Record<State, Readonly<Record<string, readonly string[]>>>>,
  from: State,
  to: State,
): boolean {
  return from === to || Object.values(transitions[from]).some((targets) => targets.includes(to));
}

/** Nothing of it runs or will run, unless somebody intervenes. */
export function isOver(state: PlanState): boolean {
  return ['succeeded', 'failed', 'cancelled', 'archived'].includes(state);
}

/** It moves on its own: somebody who waits will see a change. */
export function isMoving(state: PlanState): boolean {
  return ['waiting', 'running', 'pausing', 'cancelling'].includes(state);
}
