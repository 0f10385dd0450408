export { conformanceFeature } from './conformance/feature.ts';
export { createFakeClock, createFakeIds, createMemoryLog, type FakeClock } from './fakes.ts';
export { fixtureAliases, fixtureFeature } from './fixture-feature.ts';
export { fixtureCommandFile } from './fixture-trust.ts';
export { type Program, type Reply, startProgram } from './program.ts';
export { createRandom, type Random } from './random.ts';
export { type ServedProgram, serveProgram } from './served-program.ts';
export { temporaryFolder } from './temporary-folder.ts';
