import { runEngineProcess } from '../src/engine/engine-process.ts';

await runEngineProcess(JSON.parse(process.argv.at(-1) ?? '{}'));
