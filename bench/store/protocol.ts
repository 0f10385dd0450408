/** `bare` is the driver that the store uses, by hand. */
export const NAMES = ['bare', 'baton'] as const;
export type Name = (typeof NAMES)[number];

/** What a worker process is told on its command line. */
export interface Options {
  readonly name: Name;
  readonly file: string;
  /** The SQLite library that the store has chosen on this machine. */
  readonly library: string;
  /** How many jobs, notices or events. */
  readonly count: number;
  /** How often it is done before, without the disk: until V8 has compiled what is used often. */
  readonly warmUp: number;
  /** How long it goes on. */
  readonly ms: number;
}

/** What each role answers. */
export interface Results {
  prepare: { readonly library: string; readonly engine: string };
  verify: FileCounts;
  inserts: { readonly transactions: number; readonly ms: number; readonly cpuMs: number };
  claims: Claims;
  /** Each claim with its report. */
  tickets: Claims;
  open: { readonly firstMs: number; readonly againMs: number };
  /** Wall times, in milliseconds and fractions of them. */
  send: readonly number[];
  hear: readonly number[];
  grow: { readonly early: number; readonly late: number };
}

export type Role = keyof Results;

export interface FileCounts {
  readonly isIntact: boolean;
  readonly notes: number;
  readonly events: number;
  readonly succeeded: number;
  readonly attempts: number;
  readonly freeLeases: number;
}

export interface Claims {
  /** Wall times. */
  readonly begun: number;
  readonly ended: number;
  readonly cpuMs: number;
  /** How long each claim took, waiting included. */
  readonly claimMs: readonly number[];
}

/** What this process has used until now, in milliseconds. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** The same for all processes of a machine, and finer than Date.now(). */
export function wallTime(): number {
  return performance.timeOrigin + performance.now();
}
