import type { Environment } from '@baton/core';

export interface GitCall {
  readonly env: Environment;
  /** Whom its processes belong to, so that what is left over can be found. */
  readonly trackingId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const FIXED: Environment = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_EDITOR: ':',
  // What git says is read here.
  LC_ALL: 'C',
};

/** Without variables of git: they would lead it to another repository, index or program. */
export function environmentOf(call: GitCall, more: Environment = {}): Environment {
  const kept = Object.entries(call.env).filter(([name]) => !/^GIT_/i.test(name));
  const tracking = call.trackingId === undefined ? {} : { BATON_JOB: call.trackingId };
  return { ...Object.fromEntries(kept), ...FIXED, ...tracking, ...more };
}
