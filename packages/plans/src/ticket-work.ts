import {
  type CommandDefinition,
  commandSchemas,
  type Environment,
  lazily,
  plainText,
} from '@baton/core';
import * as z from 'zod';

/** Longer ones are cut, since what outputs put into them is not known before. */
export const LONGEST_TITLE = 200;
export const LONGEST_BODY = 100_000;

/** Work that is handed to a person or an agent. It runs nothing, so it has no folder and no limit. */
export const ticketSchema = lazily(() =>
  z.strictObject({
    type: z.literal('ticket'),
    title: plainText(LONGEST_TITLE),
    body: plainText(LONGEST_BODY).optional(),
    kind: z.enum(['agent', 'person', 'question']).optional(),
    priority: z.int().min(1).max(5).optional(),
    labels: z.array(plainText(64)).max(20).optional(),
    assignee: plainText(200).optional(),
    checks: z.array(commandSchemas().command).max(20).optional(),
    maxAttempts: z.int().min(1).max(100).optional(),
  }),
);

export type TicketWork = z.output<ReturnType<typeof ticketSchema>>;

/** The variables of all checks in one record, so that they can be sealed like those of a job. */
export function variablesOfChecks(checks: readonly CommandDefinition[]): Environment {
  return Object.fromEntries(
    checks.flatMap((check, index) => {
      const variables = typeof check === 'string' ? {} : (check.env ?? {});
      return Object.entries(variables).map(([name, value]) => [`${index} ${name}`, value]);
    }),
  );
}

export function withoutVariables(check: CommandDefinition): CommandDefinition {
  if (typeof check === 'string') return check;
  const { env: _, ...rest } = check;
  return rest;
}

/** The other way round. */
export function withVariables(
  check: CommandDefinition,
  index: number,
  variables: Environment,
): CommandDefinition {
  const prefix = `${index} `;
  const own = Object.entries(variables)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value]);
  if (typeof check === 'string' || own.length === 0) return check;
  return { ...check, env: Object.fromEntries(own) };
}
