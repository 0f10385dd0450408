import type { Environment } from '@baton/core';

export interface LocalCommand {
  /** Of the setting, such as filter.x.smudge. */
  readonly name: string;
  readonly value: string;
}

export interface GitCall {
  readonly env: Environment;
  /** Whom its processes belong to, so that what is left over can be found. */
  readonly trackingId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Throws unless git may run these, which the repository's own settings name. Without it git is not
   * started where there are any; with `off` it is, and they are switched off.
   */
  readonly permit?: ((commands: readonly LocalCommand[]) => Promise<void>) | 'off' | undefined;
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
