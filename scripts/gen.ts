import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Tool } from '@baton/core';
import { describeTool, inputSchema } from '@baton/mcp';
import { builtInTools } from '@baton/runtime';
import * as z from 'zod';
import { planSchema } from './plan-schema.ts';
import { declareTools } from './vscode-manifest.ts';

/** Writes what follows from the tools' definitions; `--check` only says whether it is up to date. */
const root = path.resolve(import.meta.dirname, '..');

function json(value: unknown): string {
  return ['```json', JSON.stringify(value, null, 2), '```'].join('\n');
}

function toolSection(tool: Tool): string {
  const { inputSchema: input, annotations } = describeTool(tool);
  const { $schema: _, ...outputSchema } = z.toJSONSchema(tool.output, { io: 'output' });
  const hints = Object.entries(annotations)
    .filter(([, isSet]) => isSet)
    .map(([hint]) => hint.replace('Hint', ''));
  return [
    `## ${tool.name}`,
    `${tool.description} Toolset: ${tool.toolset}. Annotations: ${hints.join(', ') || 'none'}.`,
    `Input:\n\n${json(input)}`,
    `Result:\n\n${json(outputSchema)}`,
    ...tool.examples.map(({ title, input }) => `${title}\n\n${json(input)}`),
  ].join('\n\n');
}

const tools = [...builtInTools].sort((a, b) => (a.name < b.name ? -1 : 1));
const files: Readonly<Record<string, string>> = {
  'docs/tools.md': `${[
    '# Tools',
    'Generated from the definitions by `npm run gen`. Every tool fails with `{code, message, next}`; `next` says what to do.',
    ...tools.map(toolSection),
  ].join('\n\n')}\n`,
  'docs/plan.schema.json': planSchema(),
  'packages/runtime/src/input-schemas.json': `${JSON.stringify(
    Object.fromEntries(tools.map((tool) => [tool.name, inputSchema(tool)])),
    null,
    2,
  )}\n`,
  'apps/vscode/package.json': declareTools(
    readFileSync(path.join(root, 'apps/vscode/package.json'), 'utf8'),
    tools,
  ),
};

const isCheck = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) {
  const file = path.join(root, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (isCheck) {
    process.stderr.write(`${name} is out of date: run \`npm run gen\`.\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
    process.stderr.write(`wrote ${name}\n`);
  }
}
