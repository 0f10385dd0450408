import { chmodSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { writeKnowledgeData } from './bundle/knowledge-data.mjs';
import { split } from './bundle/split.mjs';
import { copyBinaries } from './bundle/sqlite-binaries.mjs';
import { modulesWithTexts } from './bundle/texts.mjs';

/**
 * Bundles a program into one file without chunks, with SQLite and what knowledge is searched with beside it: an upgrade
 * under a running process must not take away code that it has not loaded yet. Returns the size in
 * bytes.
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
  // In one step: somebody may be starting the program right now.
  renameSync(unfinished, outfile);
  return statSync(outfile).size;
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
