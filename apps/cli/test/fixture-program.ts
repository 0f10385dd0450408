// The program as it is, with the fixtures beside its own features. Bundled for the tests.
import '../src/protect-stdout.ts';
import { fixtureAliases, fixtureCommandFile, fixtureFeature } from '@baton/testkit';
import { runProcess } from '../src/run-process.ts';

const { BATON_TEST_CRASH_AT: crashAt, BATON_TEST_CRASH_JOB: crashJob } = process.env;

console.log('printed while the program was loading');
await runProcess({
  features: [fixtureFeature],
  aliases: fixtureAliases,
  commandFiles: [fixtureCommandFile],
  onPoint(point, job) {
    if (point === crashAt && (!crashJob || job === crashJob)) process.kill(process.pid, 'SIGKILL');
  },
});
