import { escapeLine } from '@baton/core';
import type { PlanView } from '@baton/runtime';
import type { Command } from '../../command.ts';
import { type Io, print, printDrawn, printPart } from '../../io.ts';
import { type Style, styleFor } from '../../style.ts';
import { planArgument } from './plan-argument.ts';
import { type PlanTools, withPlans } from './plan-tools.ts';

const USAGE = 'diff <id> [job] [--patch]';

export const diff: Command = {
  name: 'plan diff',
  summary: 'show what a plan with git has changed, or one of its jobs',
  usage: `baton plan ${USAGE} [--json] [flags]`,
  flags: {
    patch: { type: 'boolean', short: 'p', summary: 'print the lines, not only numbers' },
    json: { type: 'boolean', summary: 'print the numbers as JSON' },
  },
  examples: ['baton plan diff 4f1c', 'baton plan diff 4f1c build --patch'],
  maxArguments: 2,
  async run(io, parsed, extras) {
    const plan = planArgument(parsed, USAGE);
    const [, job] = parsed.positionals;
    const query = { plan, view: 'diff', ...(job && { job }) };
    return withPlans(io, parsed, extras, async (plans) => {
      if (parsed.values.patch) return printPatch(io, plans, query);
      const { diff: found } = await plans.look(query);
      if (parsed.values.json) await print(io.stdout, JSON.stringify(found, null, 2));
      else await printDrawn(io.stdout, `${statLines(found, styleFor(io)).join('\n')}\n`);
      return 0;
    });
  },
};

async function printPatch(io: Io, plans: PlanTools, query: object): Promise<number> {
  for (let from: number | undefined = 0; from !== undefined; ) {
    const { diff: page }: PlanView = await plans.look({ ...query, from });
    await printPart(io.stdout, page?.patch ?? '');
    from = page?.next;
  }
  return 0;
}

function statLines(found: PlanView['diff'], style: Style): string[] {
  const stats = found?.stats ?? [];
  if (stats.length === 0) return ['Nothing has landed yet; name a job to see what it has changed.'];
  return stats.flatMap(
    ({ repository, branch, from, to, files, insertions, deletions, ...rest }) => {
      const where = [repository === '.' ? '' : repository, branch ?? ''].filter(Boolean).join(' ');
      const range = style.dim(`${from.slice(0, 12)}..${to.slice(0, 12)}`);
      return [
        `${where && `${escapeLine(where)}  `}${range}`,
        ...rest.paths.map(
          ({ path, insertions: plus, deletions: minus }) =>
            `  ${escapeLine(path)}  ${plus === undefined ? 'no text' : `+${plus} -${minus ?? 0}`}`,
        ),
        ...(rest.more ? [`  and ${rest.more} more`] : []),
        `${files} ${files === 1 ? 'file' : 'files'}, +${insertions} -${deletions}`,
      ];
    },
  );
}
