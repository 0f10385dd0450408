// The program as it is, with the fixtures beside its own features. Bundled for the tests.
import '../src/protect-stdout.ts';
import { execFileSync } from 'node:child_process';
import { fixtureAliases, fixtureCommandFile, fixtureFeature } from '@baton/testkit';
import { runProcess } from '../src/run-process.ts';

const { BATON_TEST_CRASH_AT: crashAt, BATON_TEST_CRASH_JOB: crashJob } = process.env;
let { BATON_TEST_RUN_AT: runAt, BATON_TEST_RUN: toRun = '' } = process.env;

console.log('printed while the program was loading');
await runProcess({
  features: [fixtureFeature],
  aliases: fixtureAliases,
  commandFiles: [fixtureCommandFile],
  onPoint(point, job) {
    if (crashJob && job !== crashJob) return;
    if (point === crashAt) process.kill(process.pid, 'SIGKILL');
    if (point !== runAt) return;
    runAt = undefined;
    execFileSync('sh', ['-c', toRun], { stdio: 'ignore' });
  },
});
