import { type CommandDefinition, truncate } from '@baton/core';
import type { Claimed } from './claiming.ts';
import type { Sealer } from './environment.ts';
import type { JobTicket } from './ports.ts';
import { resolveReferences } from './references.ts';
import { LONGEST_BODY, LONGEST_TITLE, type TicketWork, withVariables } from './ticket-work.ts';

type Outputs = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** The ticket that a job waits for, with the outputs of earlier jobs in it. */
export function jobTicket(
  { plan, job }: Claimed,
  { type: _, title, body = '', kind = 'agent', labels = [], checks = [], ...rest }: TicketWork,
  sealer: Sealer,
  outputs: Outputs,
): JobTicket {
  const variables = job.env === '' ? {} : sealer.open(job.env);
  return {
    ...rest,
    workspace: plan.workspace,
    title: cut(resolveReferences(title, outputs), LONGEST_TITLE),
    body: cut(resolveReferences(body, outputs), LONGEST_BODY),
    kind,
    labels,
    checks: checks.map((check, index) =>
      resolveCheck(withVariables(check, index, variables), outputs),
    ),
    by: `job ${job.id} of plan ${plan.id}`,
  };
}

/** An output in a command line could be a command. */
function resolveCheck(check: CommandDefinition, outputs: Outputs): CommandDefinition {
  if (typeof check === 'string') return check;
  const env =
    check.env &&
    Object.fromEntries(
      Object.entries(check.env).map(([name, value]) => [name, resolveReferences(value, outputs)]),
    );
  const args =
    check.type === 'process' && check.args?.map((arg) => resolveReferences(arg, outputs));
  return { ...check, ...(env && { env }), ...(args && { args }) };
}

function cut(text: string, most: number): string {
  // What is left out is counted in a few words.
  return text.length <= most ? text : truncate(text, most - 40);
}
