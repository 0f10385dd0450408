import type { Scenario, SuiteResult } from './run-suite.ts';
import { notApplicable } from './suites.ts';

interface Count {
  readonly passed: number;
  readonly failed: number;
}

/** Prints what a suite has found and counts the scenarios that are required. */
export function report(title: string, target: string, result: SuiteResult): Count {
  const { scenarios, exitCode, output } = result;
  const outside = (name: string) => notApplicable[target]?.[name];
  const counted = scenarios.filter(({ name, isRequired }) => isRequired && !outside(name));
  const failed = counted.filter(hasFailed).length;
  const passed = counted.length - failed;

  say(`\n=== ${title}: ${passed} of ${counted.length} scenarios pass`);
  for (const scenario of scenarios) {
    sayScenario(scenario, outside(scenario.name) ?? (scenario.isRequired ? '' : 'not scored'));
  }
  // The tool must agree, unless what it holds against us is required but does not apply.
  const excused = scenarios.some(
    (each) => each.isRequired && outside(each.name) && hasFailed(each),
  );
  const isGood = failed === 0 && passed > 0 && (exitCode === 0 || excused);
  if (!isGood) say(`${output}\nexit code ${exitCode}`);
  return { passed, failed: isGood ? 0 : Math.max(failed, 1) };
}

function hasFailed({ failures }: Scenario): boolean {
  return failures.length > 0;
}

function sayScenario({ name, failures, warnings }: Scenario, uncounted: string): void {
  const verdict = failures.length === 0 ? 'ok' : uncounted ? 'no' : 'FAIL';
  say(`${verdict.padEnd(4)}  ${name}${uncounted && ` (${uncounted})`}`);
  if (!uncounted) for (const failure of failures) say(`      ${failure}`);
  for (const warning of warnings) say(`      warning: ${warning}`);
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
