import type { Parsed } from '../../flags.ts';
import { UsageError } from '../../usage-error.ts';

/** The id of the plan, which comes first. */
export function planArgument({ positionals: [plan] }: Parsed, usage: string): string {
  if (plan) return plan;
  throw new UsageError(
    'Which plan?',
    `Usage: baton plan ${usage}; \`baton plan list\` shows them.`,
  );
}
