import { escapeLine } from '@baton/core';
import type { PlanView } from '@baton/runtime';
import type { Command } from '../../command.ts';
import { print, printDrawn } from '../../io.ts';
import { duration, type Style, styleFor } from '../../style.ts';
import { planArgument } from './plan-argument.ts';
import { withPlans } from './plan-tools.ts';
import { markOf, planState } from './state-marks.ts';

export const graph: Command = {
  name: 'plan graph',
  summary: 'show which job needs which, as a tree or as a Mermaid diagram',
  usage: 'baton plan graph <id> [--mermaid] [--json] [flags]',
  flags: {
    mermaid: { type: 'boolean', summary: 'print a Mermaid diagram' },
    json: { type: 'boolean', summary: 'print it as JSON' },
  },
  examples: ['baton plan graph 4f1c', 'baton plan graph 4f1c --mermaid > plan.mmd'],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const plan = planArgument(parsed, 'graph <id>');
    return withPlans(io, parsed, extras, async (plans) => {
      const view = await plans.look({ plan, view: 'graph' });
      const { graph: found } = view;
      if (!found) throw new TypeError('plan_get returned no graph');
      if (parsed.values.json) await print(io.stdout, JSON.stringify(view, null, 2));
      else if (parsed.values.mermaid) await print(io.stdout, found.mermaid);
      else {
        const style = styleFor(io);
        const lines = [
          `${escapeLine(view.name)}  ${planState(view.state, style)}`,
          ...treeLines(found, style),
        ];
        await printDrawn(io.stdout, `${lines.join('\n')}\n`);
      }
      return 0;
    });
  },
};

type Graph = NonNullable<PlanView['graph']>;

/**
 * Every job once, below the last of its needs to be ready in the longest way to it; the others
 * are named beside it.
 */
function treeLines({ adjacency, states, criticalPath }: Graph, style: Style): string[] {
  const needs = needsOf(adjacency);
  const depths = depthsOf(adjacency, needs);
  const below = new Map<string, string[]>();
  for (const [id, needed] of needs) {
    const parent = needed.toSorted((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0))[0] ?? '';
    below.set(parent, [...(below.get(parent) ?? []), id]);
  }
  const lines: string[] = [];
  const draw = (id: string, indent: string, parent: string, isLast: boolean) => {
    const others = (needs.get(id) ?? []).filter((need) => need !== parent);
    const also = others.length > 0 ? style.dim(`  also needs ${others.join(', ')}`) : '';
    const state = states[id] ?? 'pending';
    lines.push(
      `${indent}${isLast ? '└─' : '├─'} ${markOf(state, style)} ${id}  ${style.dim(state)}${also}`,
    );
    const inner = below.get(id) ?? [];
    for (const [index, child] of inner.entries()) {
      draw(child, `${indent}${isLast ? '   ' : '│  '}`, id, index === inner.length - 1);
    }
  };
  const roots = below.get('') ?? [];
  for (const [index, id] of roots.entries()) draw(id, '', '', index === roots.length - 1);
  const path = criticalPath.jobs.join(' → ');
  return [...lines, ...(path ? [`Longest way: ${path} (${duration(criticalPath.seconds)})`] : [])];
}

function needsOf(adjacency: Graph['adjacency']): Map<string, string[]> {
  const needs = new Map<string, string[]>(Object.keys(adjacency).map((id) => [id, []]));
  for (const [id, neededBy] of Object.entries(adjacency)) {
    for (const other of neededBy) needs.get(other)?.push(id);
  }
  return needs;
}

/** How many jobs come one after the other before each. */
function depthsOf(
  adjacency: Graph['adjacency'],
  needs: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const depths = new Map<string, number>();
  const open = new Map([...needs].map(([id, needed]) => [id, needed.length]));
  const ready = [...open].filter(([, count]) => count === 0).map(([id]) => id);
  for (const id of ready) {
    const depth = depths.get(id) ?? 0;
    for (const next of adjacency[id] ?? []) {
      depths.set(next, Math.max(depths.get(next) ?? 0, depth + 1));
      const left = (open.get(next) ?? 0) - 1;
      open.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return depths;
}
