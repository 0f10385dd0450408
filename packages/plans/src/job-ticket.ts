import { type CheckDefinition, truncate } from '@baton/core';
import type { Claimed } from './claiming.ts';
import type { JobTicket } from './ports.ts';
import { resolveReferences } from './references.ts';
import { LONGEST_BODY, LONGEST_TITLE, type TicketWork } from './ticket-work.ts';

type Outputs = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** The ticket that a job waits for, with the outputs of earlier jobs in it. */
export function jobTicket(
  { plan, job }: Claimed,
  { type: _, title, body = '', kind = 'agent', labels = [], checks = [], ...rest }: TicketWork,
  outputs: Outputs,
): JobTicket {
  return {
    ...rest,
    workspace: plan.workspace,
    title: cut(resolveReferences(title, outputs), LONGEST_TITLE),
    body: cut(resolveReferences(body, outputs), LONGEST_BODY),
    kind,
    labels,
    checks: checks.map((check) => resolveCheck(check, outputs)),
    by: `job ${job.id} of plan ${plan.id}`,
  };
}

/** An output in a command line could be a command. */
function resolveCheck(check: CheckDefinition, outputs: Outputs): CheckDefinition {
  if (typeof check === 'string' || check.type === 'shell' || !check.args) return check;
  return { ...check, args: check.args.map((arg) => resolveReferences(arg, outputs)) };
}

function cut(text: string, most: number): string {
  // What is left out is counted in a few words.
  return text.length <= most ? text : truncate(text, most - 40);
}
