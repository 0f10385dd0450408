import { drawGroups, groupPath } from './mermaid-groups.ts';
import { type DrawnJob, flowchart, label, node, nodeId } from './mermaid-text.ts';

export type { DrawnJob };

export interface PlanGraph {
  readonly mermaid: string;
  /** As the arrows point: for each job those that need it. Complete, whatever is drawn. */
  readonly adjacency: Record<string, string[]>;
}

const MOST_JOBS = 100;
const MOST_CHARACTERS = 8_000;
const MOST_GROUPS = [50, 20, 5];
const DEEPEST_GROUP = 4;

/** The first drawing that is short enough, from all jobs to a few groups. */
export function planGraph(jobs: readonly DrawnJob[]): PlanGraph {
  const adjacency = adjacencyOf(jobs);
  let mermaid = jobs.length <= MOST_JOBS ? drawJobs(jobs, adjacency) : undefined;
  for (const most of MOST_GROUPS) {
    if (mermaid !== undefined && mermaid.length < MOST_CHARACTERS) break;
    mermaid = drawGroups(jobs, most);
  }
  return { mermaid: mermaid ?? '', adjacency: Object.fromEntries(adjacency) };
}

function adjacencyOf(jobs: readonly DrawnJob[]): Map<string, string[]> {
  const adjacency = new Map<string, string[]>(jobs.map(({ id }) => [id, []]));
  for (const { id, needs } of jobs) {
    for (const need of new Set(needs)) adjacency.get(need)?.push(id);
  }
  return adjacency;
}

interface Group {
  readonly lines: string[];
  readonly inner: Map<string, Group>;
}

function drawJobs(jobs: readonly DrawnJob[], adjacency: Map<string, string[]>): string {
  const root: Group = { lines: [], inner: new Map() };
  for (const job of jobs) {
    const line = node(nodeId(job.id), label(job.name?.trim() ? job.name : job.id), job.state);
    groupOf(job, root).lines.push(line);
  }
  const edges = [...adjacency]
    .filter(([, to]) => to.length > 0)
    .map(([from, to]) => `${nodeId(from)} --> ${to.map(nodeId).join(' & ')}`);
  let groups = 0;
  const draw = ({ lines, inner }: Group): string[] => [
    ...lines,
    ...[...inner].flatMap(([name, group]) => [
      `subgraph g${++groups}[${label(name)}]`,
      ...draw(group).map((line) => `  ${line}`),
      'end',
    ]),
  ];
  return flowchart(
    [...draw(root), ...edges],
    jobs.map(({ state }) => state),
  );
}

function groupOf(job: DrawnJob, root: Group): Group {
  const path = groupPath(job);
  // Deeper ones share a frame: hundreds of frames within each other show nothing.
  const names = [...path.slice(0, DEEPEST_GROUP - 1), path.slice(DEEPEST_GROUP - 1).join('/')];
  return names.filter(Boolean).reduce((group, name) => {
    const inner = group.inner.get(name) ?? { lines: [], inner: new Map() };
    group.inner.set(name, inner);
    return inner;
  }, root);
}
