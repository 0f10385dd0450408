import { bundle } from '../../scripts/bundle.mjs';
import { fixtureProgram, program } from './programs.ts';

/** Bundles what the tests spawn: the program as it ships, and the one with the fixtures. */
export default async function buildPrograms(): Promise<void> {
  await bundle('apps/cli/src/main.ts', program);
  await bundle('apps/cli/test/fixture-program.ts', fixtureProgram);
}
