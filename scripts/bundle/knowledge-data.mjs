import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileThesaurus } from './thesaurus.mjs';
import { makeTokenData } from './token-data.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const forSource = path.join(root, 'node_modules/.cache/baton/knowledge');
let making;

/**
 * What knowledge is searched with, beside the program, and where it is found by what runs from
 * source: packages/knowledge/src/data-folder.ts.
 */
export async function writeKnowledgeData(folder) {
  making ??= make();
  for (const [name, content] of Object.entries(await making)) {
    for (const place of new Set([folder, forSource])) write(place, name, content);
  }
}

async function make() {
  return { ...makeTokenData(), ...(await compileThesaurus()) };
}

function write(folder, name, content) {
  mkdirSync(folder, { recursive: true });
  const target = path.join(folder, name);
  // A process may be reading it: only if it is another one, and in one step.
  if (existsSync(target) && readFileSync(target).equals(content)) return;
  writeFileSync(`${target}.${process.pid}`, content);
  renameSync(`${target}.${process.pid}`, target);
}
