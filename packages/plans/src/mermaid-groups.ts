import { type DrawnJob, flowchart, label, node, shortened } from './mermaid-text.ts';

const LONGEST = 160;

interface Group {
  readonly id: string;
  readonly name: string;
  readonly jobs: DrawnJob[];
}

/** One node for each of the first top-level groups, and one that says what is not drawn. */
export function drawGroups(jobs: readonly DrawnJob[], most: number): string {
  const all = groupsOf(jobs);
  const groups = all.slice(0, most);
  const shown = groups.map((group) =>
    node(group.id, label(summary(group), LONGEST), onlyState(group)),
  );
  const rest = all.slice(most).reduce((sum, group) => sum + group.jobs.length, 0);
  const note = `${jobs.length} jobs are too many to draw. These are their groups.`;
  const more = `${all.length - most} more groups with ${jobCount(rest)} are left out.`;
  const lines = [
    ...shown,
    ...edgesBetween(groups),
    node('note', label(note, LONGEST)),
    ...(rest > 0 ? [node('more', label(more, LONGEST))] : []),
  ];
  return flowchart(
    lines,
    groups.map(onlyState).filter((state) => state !== undefined),
  );
}

export function groupPath({ group = '' }: DrawnJob): string[] {
  return group.split('/').filter((part) => part.trim() !== '');
}

function groupsOf(jobs: readonly DrawnJob[]): Group[] {
  const groups = new Map<string | undefined, Group>();
  for (const job of jobs) {
    const [top] = groupPath(job);
    const group = groups.get(top) ?? {
      id: `g${groups.size + 1}`,
      name: top ?? 'No group',
      jobs: [],
    };
    groups.set(top, group);
    group.jobs.push(job);
  }
  return [...groups.values()];
}

function summary({ name, jobs }: Group): string {
  const counts = new Map<string, number>();
  for (const { state } of jobs) counts.set(state, (counts.get(state) ?? 0) + 1);
  const states = [...counts].map(([state, count]) => `${count} ${state}`);
  return `${shortened(name, 40)}, ${jobCount(jobs.length)} (${states.join(', ')})`;
}

function onlyState({ jobs }: Group): string | undefined {
  const state = jobs[0]?.state;
  return jobs.every((job) => job.state === state) ? state : undefined;
}

function edgesBetween(groups: readonly Group[]): string[] {
  const owner = new Map(groups.flatMap(({ id, jobs }) => jobs.map((job) => [job.id, id])));
  const edges = groups.flatMap(({ id, jobs }) =>
    jobs
      .flatMap(({ needs = [] }) => needs.map((need) => owner.get(need)))
      .filter((from) => from !== undefined && from !== id)
      .map((from) => `${from} --> ${id}`),
  );
  return [...new Set(edges)];
}

function jobCount(count: number): string {
  return count === 1 ? '1 job' : `${count} jobs`;
}
