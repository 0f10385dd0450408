import type { Problem } from '../declared-under-test.ts';

/** Problems as lines. */
export function told(problems: readonly Problem[]): string[] {
  return problems.map(({ line, severity, message }) => `${line} ${severity}: ${message}`);
}
