import type { Trust } from './trust.ts';

/** What the outside world gives to pure code. Tests replace only these. */
export interface Clock {
  /** Wall time in milliseconds, for people. */
  now(): number;
  /** Milliseconds that never jump, for durations. */
  monotonic(): number;
}

export interface Ids {
  /** At least 122 random bits, safe to hand out as a handle. */
  next(): string;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface Log {
  isEnabled(level: LogLevel): boolean;
  write(level: LogLevel, message: string): void;
  /** The same log under another component name. */
  child(component: string): Log;
}

/** Something that clients may have cached has changed. */
export type Change =
  | { readonly kind: 'tools' | 'resources' | 'prompts' }
  | { readonly kind: 'resource'; readonly uri: string };

export interface ChangeFeed {
  publish(change: Change): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (change: Change) => void): () => void;
}

/** The folder that an agent works in, resolved to its main checkout. */
export interface Workspace {
  readonly path: string;
  readonly foundBy: 'baton-folder' | 'git' | 'folder';
  /** The linked worktree that the agent works in, if it does: its files are there. */
  readonly checkout?: string;
  /** Its `.baton` belongs to another user: nothing in it is read. */
  readonly hasForeignFolder?: true;
}

/** What a feature's service is built from. */
export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly changes: ChangeFeed;
  readonly workspace: Workspace;
  readonly trust: Trust;
}
