import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Figures } from './figures.ts';
import { TOKEN } from './http-messages.ts';
import { measureAll, type Rounds } from './measure.ts';
import { canReadProc } from './process-cost.ts';
import { buildPrograms, EVERYONE, HTTP_SERVERS, root } from './programs.ts';
import { HTTP_ROWS, STDIO_ROWS } from './rows.ts';
import type { Bench } from './scenarios.ts';
import { killServers, ServerProcess } from './server-process.ts';
import { renderFigures } from './table.ts';
import { isAnyMissed, renderTargets } from './targets.ts';

const FULL: Rounds = {
  startUp: 15,
  memory: 3,
  pipelined: 11,
  sequential: 3,
  large: 3,
  http: 5,
  sessions: 3,
};
const QUICK: Rounds = {
  startUp: 3,
  memory: 1,
  pipelined: 1,
  sequential: 1,
  large: 1,
  http: 1,
  sessions: 1,
};

function progress(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}

/**
 * A home of its own, and nothing that changes Node or Baton: NODE_EXTRA_CA_CERTS alone can double
 * the start of every Node program, and the ratios would look better than they are.
 */
function environment(home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([key]) => !/^(NODE|BATON)_/.test(key));
  return { ...Object.fromEntries(inherited), HOME: home, USERPROFILE: home, BATON_STATE: home };
}

function describeMachine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim();
  return `node ${process.version}, ${process.platform} ${process.arch}, ${processors.length} × ${model}`;
}

/** A busy machine spoils wall figures first: whoever reads them should know. */
function readLoad(): string {
  return loadavg()[0]?.toFixed(2) ?? '-';
}

async function run(rounds: Rounds): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'baton-bench-'));
  process.once('exit', () => {
    killServers();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });
  const loadBefore = readLoad();
  progress('build');
  const programs = await buildPrograms();
  const env = environment(home);
  const figures = new Figures();
  const httpEnv = { ...env, BATON_TOKEN: TOKEN };
  const bench: Bench = {
    figures,
    progress,
    start: (name) => new ServerProcess(programs.stdio[name], root, env),
    startHttp(name, probe) {
      const args = [...(probe ? programs.heapProbe : []), ...programs.http[name]];
      return new ServerProcess(args, root, httpEnv);
    },
  };
  await measureAll(bench, rounds);
  const note = canReadProc ? '' : 'no /proc here: wall figures only\n';
  process.stdout.write(
    `${describeMachine()}, load ${loadBefore} before and ${readLoad()} after\n` +
      `${note}medians, without NODE_* and BATON_* variables; ÷ is Baton's figure over the peer's\n\n` +
      `${renderFigures(figures, STDIO_ROWS, EVERYONE)}\n\n` +
      `over HTTP\n${renderFigures(figures, HTTP_ROWS, HTTP_SERVERS)}\n\n` +
      `targets\n${renderTargets(figures)}\n`,
  );
  // The few rounds of a smoke run say that everything works, not how fast.
  if (rounds !== QUICK && isAnyMissed(figures)) process.exitCode = 1;
}

function fail(error: unknown, code: number): never {
  progress(error instanceof Error ? error.message : String(error));
  process.exit(code);
}

function readRounds(): Rounds {
  try {
    return parseArgs({ options: { quick: { type: 'boolean' } } }).values.quick ? QUICK : FULL;
  } catch (error) {
    return fail(error, 2);
  }
}

// Without a listener a signal ends the process before anything is tidied up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await run(readRounds()).catch((error: unknown) => fail(error, 1));
