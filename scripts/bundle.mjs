import { chmodSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { writeKnowledgeData } from './bundle/knowledge-data.mjs';
import { licencesOf } from './bundle/licences.mjs';
import { split } from './bundle/split.mjs';
import { copyBinaries } from './bundle/sqlite-binaries.mjs';
import { modulesWithTexts } from './bundle/texts.mjs';

/**
 * Bundles a program into one file without chunks: an upgrade under a running process must not take
 * away code that it has not loaded yet. Beside it lie SQLite, what knowledge is searched with, and
 * the licences of the packages in it. Returns the size in bytes.
 */
export async function bundle(entry, outfile) {
  const unfinished = `${outfile}.${process.pid}`;
  const program = await split(entry);
  const modules = await modulesWithTexts(program);
  const inOrder = [...program.first, program.main];
  await build({
    stdin: {
      contents: inOrder.map((name) => `import ${JSON.stringify(name)};`).join('\n'),
      resolveDir: path.dirname(entry),
    },
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: true,
    plugins: [fromMemory(modules)],
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
  });
  chmodSync(unfinished, 0o755);
  copyBinaries(path.join(path.dirname(outfile), 'sqlite'));
  await writeKnowledgeData(path.join(path.dirname(outfile), 'knowledge'));
  const licences = licencesFile(unfinished);
  writeFileSync(licences, licencesOf(program.packages));
  renameSync(licences, licencesFile(outfile));
  // In one step: somebody may be starting the program right now.
  renameSync(unfinished, outfile);
  return statSync(outfile).size;
}

/** Beside a program: the licences of what is in it. */
export function licencesFile(program) {
  return program.replace(/\.mjs\b/, '.LICENSES.txt');
}

function fromMemory(modules) {
  return {
    name: 'from-memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\// }, ({ path: name }) =>
        name in modules ? { path: name, namespace: 'memory' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'memory' }, ({ path: name }) => ({
        contents: modules[name],
        resolveDir: '.',
      }));
    },
  };
}
