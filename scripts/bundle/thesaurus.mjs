import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const texts = path.join(root, 'packages/knowledge/thesaurus');
const compiler = path.join(root, 'packages/knowledge/src/thesaurus/compile.ts');
const cache = path.join(root, 'node_modules/.cache/baton/thesaurus');

/** The thesaurus as packages/knowledge/src/thesaurus/load.ts reads it: the contents of each file. */
export async function compileThesaurus() {
  const { outputFiles } = await build({
    entryPoints: [compiler],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const code = outputFiles[0].contents;
  const made = path.join(cache, `${fingerprint(code)}.json`);
  if (!existsSync(made)) writeFileSync(made, await compiled(code));
  const { concepts, wordSets } = JSON.parse(readFileSync(made, 'utf8'));
  return { 'concepts.index': Buffer.from(concepts, 'base64'), 'words.json': Buffer.from(wordSets) };
}

/** It takes a second, and most builds change nothing of it. */
function fingerprint(code) {
  mkdirSync(cache, { recursive: true });
  const hash = createHash('sha256').update(code);
  for (const file of readdirSync(texts).sort()) hash.update(readFileSync(path.join(texts, file)));
  return hash.digest('hex').slice(0, 32);
}

async function compiled(code) {
  const module = path.join(cache, `compile.${process.pid}.mjs`);
  writeFileSync(module, code);
  const { compileThesaurus: compile } = await import(pathToFileURL(module).href);
  const { concepts, wordSets } = compile(texts);
  return JSON.stringify({ concepts: Buffer.from(concepts).toString('base64'), wordSets });
}
