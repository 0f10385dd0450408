import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { aliases, builtInTools } from '@baton/runtime';
import { startProgram } from '@baton/testkit';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { program } from './programs.ts';
import { cites } from './requirements.ts';
import type { AnyResult } from './ways.ts';

async function listTools(): Promise<AnyResult[]> {
  await using running = startProgram(program);
  const { result } = await running.request(1, 'tools/list');
  return result.tools;
}

test(`${cites('TOOLS-BUDGET')} names, descriptions and schemas cost at most 3,000 tokens`, async () => {
  const listed = (await listTools()).map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  expect(encode(JSON.stringify(listed)).length).toBeLessThanOrEqual(3000);
});

test(`${cites('TOOLS-LIST')} each description is one sentence, and each name short`, async () => {
  for (const { name, description } of await listTools()) {
    expect(description, name).toMatch(/^[A-Z][^.]*\.$/);
    expect(`mcp__baton__${name}`.length).toBeLessThanOrEqual(64);
  }
});

test(`${cites('TOOLS-LIST')} every example of every tool is valid`, () => {
  for (const tool of builtInTools) {
    expect(tool.examples.length, tool.name).toBeGreaterThan(0);
    for (const { title, input } of tool.examples) {
      expect(tool.input.safeParse(input).success, `${tool.name}: ${title}`).toBe(true);
    }
  }
});

test(`${cites('ERROR-CODES')} the codes of errors are pinned`, async () => {
  const sources = globSources().map((file) => readFileSync(file, 'utf8'));
  const made =
    /(?:new (?:BatonError|MigrationWaits)\(|super\(|code: |FILE_INVALID = |fail\(|refusal\(\d+, )\s*'([a-z_]+)'/g;
  const found = sources.flatMap((text) => [...text.matchAll(made)].map(([, code]) => code));
  // Of Zod's own problems.
  const codes = found.filter((code) => code !== 'custom' && code !== 'invalid_key');
  const list = JSON.stringify([...new Set(codes)].sort(), null, 2);
  await expect(list).toMatchFileSnapshot('golden/error-codes.json');
});

function globSources(): string[] {
  const packages =
    'core data documents editor folders git knowledge mcp plans runner runtime store tickets'.split(
      ' ',
    );
  return ['apps/cli', 'apps/vscode', ...packages.map((name) => `packages/${name}`)]
    .map((place) => path.join(path.dirname(program), '../../..', place, 'src'))
    .flatMap((folder) => readdirSync(folder, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

test(`${cites('TOOLS-ALIAS')} every alias stands for a tool that exists`, () => {
  const names = builtInTools.map(({ name }) => name);
  const targets = Object.values(aliases).map((to) => (typeof to === 'string' ? to : to.tool));
  expect(targets.filter((target) => !names.includes(target))).toEqual([]);
  expect(Object.keys(aliases).filter((alias) => names.includes(alias))).toEqual([]);
});
