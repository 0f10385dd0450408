// Runs the public MCP conformance suite against Baton over each of its transports.
import path from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';
import { install } from './install.ts';
import { report, say } from './report.ts';
import { runSuite } from './run-suite.ts';
import { notApplicable, suites } from './suites.ts';
import { targets } from './targets.ts';

const root = path.resolve(import.meta.dirname, '../..');
const program = path.join(root, 'node_modules/.cache/baton/conformance-program.mjs');

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !targets.some((target) => target.name === name));
if (unknown.length > 0) throw new Error(`There is no target ${unknown.join(', ')}`);

const installed = install();
await bundle(path.join(root, 'apps/cli/test/conformance-program.ts'), program);

let passed = 0;
let failed = 0;
for (const target of targets.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
  try {
    await using open = await target.open(program);
    for (const suite of suites) {
      const result = await runSuite(suite, open.url, installed);
      const count = report(`${target.name}, ${suite.name}`, target.name, result);
      passed += count.passed;
      failed += count.failed;
    }
  } catch (error) {
    say(`\n=== ${target.name}: ${(error as Error).stack}`);
    failed += 1;
  }
  for (const [name, reason] of Object.entries(notApplicable[target.name] ?? {})) {
    say(`not counted over ${target.name}: ${name} (${reason})`);
  }
}
say(`\nconformance: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
