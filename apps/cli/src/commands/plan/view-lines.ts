import { escapeLine } from '@baton/core';
import { duration, type Style } from '../../style.ts';
import { isActive, nameWidth, type Row, rowLine, rowsOf } from './job-lines.ts';
import type { Job } from './plan-tools.ts';
import type { Snapshot } from './snapshots.ts';
import { planState } from './state-marks.ts';

export interface ViewOptions {
  readonly style: Style;
  /** How many lines there may be; absent: all. */
  readonly rows?: number;
  /** Wall milliseconds. */
  readonly now: number;
  /** The last lines of a job's output. */
  tailOf?(job: string): readonly string[];
}

const BAR = 20;

/** The whole view of a plan, in as many lines as there are. */
export function viewLines(snapshot: Snapshot, options: ViewOptions): string[] {
  const head = headLines(snapshot, options);
  const room = options.rows === undefined ? Number.POSITIVE_INFINITY : options.rows - head.length;
  return [...head, ...jobLines(snapshot, options, Math.max(1, room))];
}

function headLines({ plan, jobs, at }: Snapshot, { style, now }: ViewOptions): string[] {
  const { id, name, state, seconds, startedAt, endedAt, note, problem } = plan;
  const ended = jobs.filter((job) => isEnded(job)).length;
  const filled = jobs.length === 0 ? 0 : Math.floor((ended / jobs.length) * BAR);
  const bar = `${style.green('█'.repeat(filled))}${style.dim('░'.repeat(BAR - filled))}`;
  const since = startedAt && !endedAt ? Math.max(0, now - at) / 1000 : 0;
  const time = seconds === undefined ? '' : `  ${duration(seconds + since)}`;
  const title = style.bold(escapeLine(name));
  return [
    `${title}  ${planState(state, style)}  ${bar}  ${ended}/${jobs.length}${time}  ${style.dim(id.slice(0, 8))}`,
    ...(note ? [escapeLine(note)] : []),
    ...(problem ? [style.red(escapeLine(problem))] : []),
  ];
}

function isEnded({ state }: Job): boolean {
  return ['succeeded', 'failed', 'cancelled', 'blocked'].includes(state);
}

function jobLines(snapshot: Snapshot, options: ViewOptions, room: number): string[] {
  const { style, tailOf = () => [] } = options;
  const all = rowsOf(snapshot.jobs);
  const rows = all.length <= room ? all : choose(snapshot.jobs, room);
  const hidden = snapshot.jobs.length - rows.filter(({ job }) => job).length;
  const since = Math.max(0, options.now - snapshot.at) / 1000;
  const line = { style, nameWidth: nameWidth(rows), since };
  let spare = room - rows.length - (hidden > 0 ? 1 : 0);
  const lines = rows.flatMap((row) => {
    const tail = row.job && isActive(row.job) ? tailOf(row.job.id) : [];
    const shown = tail.slice(Math.max(0, tail.length - spare));
    spare -= shown.length;
    const indent = '  '.repeat(row.depth + 2);
    return [rowLine(row, line), ...shown.map((text) => `${indent}${style.dim(`│ ${text}`)}`)];
  });
  return hidden > 0 ? [...lines, style.dim(`  … ${hidden} more`)] : lines;
}

/** How much one wants to see a job: what runs, what has failed, what is next. */
const RANKS: Partial<Record<Job['state'], number>> = {
  running: 0,
  scheduled: 0,
  failed: 1,
  ready: 2,
};
const LAST_RANK = 3;

/** Those jobs that matter most, so many that they fit with their groups and some output. */
function choose(jobs: readonly Job[], room: number): Row[] {
  const rank = ({ state }: Job) => RANKS[state] ?? LAST_RANK;
  const byRank = jobs.toSorted((a, b) => rank(a) - rank(b));
  const active = jobs.filter(isActive).length;
  const forTails = Math.min(active * 2, Math.floor(room / 3));
  const place = new Map(jobs.map((job, index) => [job, index]));
  const inOrder = (count: number) =>
    rowsOf(byRank.slice(0, count).toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0)));
  let count = Math.max(1, room - 1 - forTails);
  while (count > 1 && inOrder(count).length > room - 1 - forTails) count -= 1;
  return inOrder(count);
}
