import { buildPeers } from '../../packages/store/test/processes/build-peers.ts';
import { bundle } from '../../scripts/bundle.mjs';
import { fixtureProgram, program } from './programs.ts';

/** Bundles what the tests spawn: the program as it ships, the one with the fixtures, and
 * what uses the store in processes of its own. */
export default async function buildPrograms(): Promise<void> {
  await bundle('apps/cli/src/main.ts', program);
  await bundle('apps/cli/test/fixture-program.ts', fixtureProgram);
  await buildPeers();
}
