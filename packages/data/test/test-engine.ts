import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@baton/testkit';
import { buildSync } from 'esbuild';
import { ChildEngine, type EngineProgram, type EngineSettings } from './engine-under-test.ts';

/** The engine's program, or one that stands for it, bundled from its sources into a folder. */
export function buildEngineProgram(
  folder: string,
  source = new URL('engine-program.ts', import.meta.url),
): EngineProgram {
  const file = path.join(folder, 'engine.mjs');
  buildSync({
    entryPoints: [fileURLToPath(source)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return { file, args: [] };
}

function engineSettings(folder: string): EngineSettings {
  return {
    folder,
    memoryMegabytes: 512,
    processMegabytes: 1200,
    threads: 2,
    packagesOf: [fileURLToPath(import.meta.url)],
  };
}

/** An engine that may use the files of a folder of its own. */
export function createTestEngine(changed: Partial<EngineSettings> = {}) {
  const place = temporaryFolder();
  const folder = path.join(place.path, 'engine');
  mkdirSync(folder);
  const program = buildEngineProgram(place.path);
  const settings = { ...engineSettings(folder), ...changed };
  const engine = new ChildEngine(program, settings);
  return {
    engine,
    folder,
    program,
    settings,
    async [Symbol.asyncDispose]() {
      engine.close();
      place[Symbol.dispose]();
    },
  };
}
