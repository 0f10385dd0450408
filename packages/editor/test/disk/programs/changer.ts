import { mkdirSync, readFileSync, rmdirSync, writeSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { BatonError } from '@baton/core';
import { type Change, DiskChanges, type Point } from '../../disk-under-test.ts';

export interface ChangerOptions {
  readonly workspace: string;
  readonly folder: string;
  readonly acts: readonly Act[];
  /** The process kills itself at so many points. */
  readonly killAt?: number;
  /** A folder that whoever makes it has the lock. */
  readonly lock?: string;
}

export type Act =
  | { readonly do: 'apply'; readonly change: StoredChange }
  | { readonly do: 'undo'; readonly id: string }
  | { readonly do: 'recover' }
  /** Adds a line to each file, again and again, as whoever computes anew when files have changed. */
  | { readonly do: 'add'; readonly files: readonly string[]; readonly line: string };

/** Contents as base64. */
interface StoredChange extends Omit<Change, 'writes'> {
  readonly writes: readonly {
    readonly file: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

export interface Answer {
  readonly ok?: unknown;
  readonly failed?: { readonly code: string; readonly message: string };
  readonly unexpected?: string;
  readonly points?: readonly Point[];
}

const options = JSON.parse(readFileSync(0, 'utf8')) as ChangerOptions;
const points: Point[] = [];
const log = { isEnabled: () => true, write: () => {}, child: () => log };
const changes = new DiskChanges({
  ...options,
  exclusively: (work) => withLock(options.lock, work),
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  ids: { next: () => crypto.randomUUID() },
  log,
  onPoint: (point) => {
    points.push(point);
    if (points.length === options.killAt) process.kill(process.pid, 'SIGKILL');
  },
});

for (const act of options.acts) {
  say(
    await run(act).then(
      (ok) => ({ ok: ok ?? null }),
      (error: unknown) =>
        error instanceof BatonError
          ? { failed: { code: error.code, message: error.message } }
          : { unexpected: String(error instanceof Error ? error.stack : error) },
    ),
  );
}
say({ points });

async function run(act: Act): Promise<unknown> {
  switch (act.do) {
    case 'apply':
      return changes.apply(read(act.change));
    case 'undo':
      return changes.undo(act.id);
    case 'recover':
      return changes.recover();
    case 'add':
      return addLines(act.files, act.line);
  }
}

async function addLines(files: readonly string[], line: string): Promise<void> {
  for (;;) {
    const writes = files.map((file) => {
      const before = readFileSync(`${options.workspace}/${file}`);
      return { file, before, after: Buffer.concat([before, Buffer.from(`${line}\n`)]) };
    });
    try {
      await changes.apply({ title: line, writes, moves: [] });
      return;
    } catch (error) {
      if (!(error instanceof BatonError && error.code === 'files_changed')) throw error;
    }
  }
}

async function withLock<Result>(
  folder: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  while (folder !== undefined && !hasMade(folder)) await after(1);
  try {
    return await work();
  } finally {
    if (folder !== undefined) rmdirSync(folder);
  }
}

function hasMade(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function read({ writes, ...change }: StoredChange): Change {
  const bytes = (text: string | null) => (text === null ? undefined : Buffer.from(text, 'base64'));
  return {
    ...change,
    writes: writes.map(({ file, before, after }) => ({
      file,
      before: bytes(before),
      after: bytes(after),
    })),
  };
}

function say(answer: Answer): void {
  writeSync(1, `${JSON.stringify(answer)}\n`);
}
