// The program as it is, with the fixtures beside its own features. Bundled for the tests.
import '../src/protect-stdout.ts';
import { fixtureAliases, fixtureCommandFile, fixtureFeature } from '@baton/testkit';
import { runProcess } from '../src/run-process.ts';

console.log('printed while the program was loading');
await runProcess({
  features: [fixtureFeature],
  aliases: fixtureAliases,
  commandFiles: [fixtureCommandFile],
});
