import { setFlagsFromString } from 'node:v8';
import { createWorker, passedEnvironment } from '@baton/runtime';
import type { Command } from '../command.ts';
import { OLD_STATE_FLAG } from '../flags.ts';
import { print } from '../io.ts';
import { openSession, workerSettings } from '../session.ts';
import { supervise } from '../supervise.ts';
import { DETACHED } from '../worker-program.ts';

export const worker: Command = {
  name: 'worker',
  summary: 'run the jobs of all plans until there is nothing to do (started when it is needed)',
  usage: 'baton worker [flags]',
  flags: OLD_STATE_FLAG,
  examples: ['baton worker', 'BATON_WORKER_IDLE_SECONDS=3600 baton worker --log-level debug'],
  maxArguments: 0,
  async run(io, parsed, extras) {
    keepSmall();
    const values = { 'state-dir': parsed.values.state, ...parsed.values };
    // Its stderr is only for what it dies of: a file that nobody else ever shortens.
    const logTo = io.env[DETACHED] ? 'file' : 'stderr and file';
    await using session = await openSession(io, { ...parsed, values }, extras, { logTo });
    const { baton, config, state, store } = session;
    const settings = {
      state,
      worker: workerSettings(config, extras.onPoint),
      environment: passedEnvironment(io.env, config.passEnv),
    };
    const running = await createWorker(store, settings, baton.log);
    supervise(baton.log, async () => running.leave());
    if (await running.run()) return 0;
    await print(
      io.stdout,
      'Another worker is at work already; there is nothing to do for this one.',
    );
    return 0;
  },
};

/**
 * Every job begins with a fork of this process, which takes the longer the more memory it has. A
 * worker waits most of the time, so that a small heap is worth more to it than optimized code.
 */
function keepSmall(): void {
  setFlagsFromString('--no-opt');
  setFlagsFromString('--semi-space-growth-factor=1');
}
