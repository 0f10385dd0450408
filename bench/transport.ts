import { Figures } from './figures.ts';
import { TOKEN } from './http-messages.ts';
import { measureAll, type Rounds } from './measure.ts';
import { canReadProc } from './process-cost.ts';
import { buildPrograms, EVERYONE, HTTP_SERVERS, type Name, root } from './programs.ts';
import { HTTP_ROWS, type RowId, STDIO_ROWS } from './rows.ts';
import { describeMachine, environment, makeHome, progress, readLoad, runBench } from './run.ts';
import type { Bench } from './scenarios.ts';
import { ServerProcess } from './server-process.ts';
import { renderFigures } from './table.ts';
import { isAnyMissed, renderTargets } from './targets.ts';
import { TARGETS } from './transport-targets.ts';

const FULL: Rounds = {
  startUp: 15,
  memory: 3,
  pipelined: 11,
  pipelinedCalls: 20_000,
  sequential: 3,
  large: 3,
  largestBytes: 50e6,
  http: 5,
  sessions: 3,
};
const QUICK: Rounds = {
  startUp: 3,
  memory: 1,
  pipelined: 1,
  pipelinedCalls: 2_000,
  sequential: 1,
  large: 1,
  largestBytes: 10e6,
  http: 1,
  sessions: 1,
};

async function run(isQuick: boolean): Promise<void> {
  const home = makeHome();
  const loadBefore = readLoad();
  progress('build');
  const programs = await buildPrograms();
  const env = environment(home);
  const figures = new Figures<RowId, Name>();
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
  await measureAll(bench, isQuick ? QUICK : FULL);
  const note = canReadProc ? '' : 'no /proc here: wall figures only\n';
  process.stdout.write(
    `${describeMachine()}, load ${loadBefore} before and ${readLoad()} after\n` +
      `${note}medians, without NODE_* and BATON_* variables; ÷ is Baton's figure over the peer's\n\n` +
      `${renderFigures(figures, STDIO_ROWS, EVERYONE)}\n\n` +
      `over HTTP\n${renderFigures(figures, HTTP_ROWS, HTTP_SERVERS)}\n\n` +
      `targets\n${renderTargets(TARGETS, figures)}\n`,
  );
  // The few rounds of a smoke run say that everything works, not how fast.
  if (!isQuick && isAnyMissed(TARGETS, figures)) process.exitCode = 1;
}

await runBench(run);
