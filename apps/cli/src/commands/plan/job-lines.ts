import { escapeLine } from '@baton/core';
import { pad } from '../../columns.ts';
import { duration, type Style } from '../../style.ts';
import type { Job } from './plan-tools.ts';
import { markOf } from './state-marks.ts';

/** A job, or the name of a group that begins there. */
export interface Row {
  readonly depth: number;
  readonly group?: string;
  readonly job?: Job;
}

/** Jobs below the names of their groups, in the order in which each is first written. */
export function rowsOf(jobs: readonly Job[]): Row[] {
  return rowsIn(jobs, 0);
}

function rowsIn(jobs: readonly Job[], depth: number): Row[] {
  const groups = new Map<string, Job[]>();
  const rows: (Row | { readonly name: string })[] = [];
  for (const job of jobs) {
    const name = job.group?.split('/')[depth];
    const known = name === undefined ? undefined : groups.get(name);
    if (name === undefined) rows.push({ depth, job });
    else if (known) known.push(job);
    else {
      groups.set(name, [job]);
      rows.push({ name });
    }
  }
  return rows.flatMap((row) =>
    'name' in row
      ? [{ depth, group: row.name }, ...rowsIn(groups.get(row.name) ?? [], depth + 1)]
      : [row],
  );
}

const WIDEST_NAME = 40;

export interface JobLineOptions {
  readonly style: Style;
  readonly nameWidth: number;
  /** Seconds since the jobs were looked at. */
  readonly since: number;
}

export function nameWidth(rows: readonly Row[]): number {
  const widths = rows.map(({ depth, job }) => (job ? depth * 2 + job.id.length : 0));
  return Math.min(WIDEST_NAME, Math.max(0, ...widths));
}

export function rowLine({ depth, group, job }: Row, options: JobLineOptions): string {
  const indent = '  '.repeat(depth);
  if (!job) return `  ${indent}${options.style.bold(escapeLine(group ?? ''))}`;
  const { style, nameWidth: width } = options;
  const name = pad(job.id, width - depth * 2);
  return `  ${indent}${markOf(job.state, style)} ${name}  ${detail(job, options)}`.trimEnd();
}

function detail(job: Job, { style, since }: JobLineOptions): string {
  const { phase, attempt = 0, name, isStopping, ticket } = job;
  const parts = [
    pad(timeOf(job, since), 7),
    attempt > 1 && `attempt ${attempt}`,
    phase,
    ticket && escapeLine(ticket),
    isStopping && style.yellow('is being stopped'),
    ...outcome(job, style),
    name && style.dim(escapeLine(name)),
  ];
  return parts.filter((part, at) => at === 0 || part).join('  ');
}

export function isActive({ state }: Job): boolean {
  return state === 'running' || state === 'scheduled';
}

function timeOf(job: Job, since: number): string {
  const { state, seconds = 0, attempt = 0 } = job;
  const isShown = isActive(job) || state === 'succeeded' || state === 'failed';
  return attempt > 0 && isShown ? duration(seconds + (isActive(job) ? since : 0)) : '';
}

function outcome(job: Job, style: Style): string[] {
  const { state, reason, message = '' } = job;
  if (!reason) return [escapeLine(message)];
  const isRepeated = state !== 'failed' && !isActive(job);
  return [style.red(escapeLine(`${reason}: ${message}`)), isRepeated ? 'is tried again' : ''];
}
