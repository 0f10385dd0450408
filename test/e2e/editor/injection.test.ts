import { existsSync } from 'node:fs';
import { builtInTools } from '@baton/runtime';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { fileWorkspace } from '../file-workspace.ts';
import { type JsonSchema, payloadsFor, stringPlaces } from '../plans/string-places.ts';
import { cites } from '../requirements.ts';
import { editorServer } from './editor-server.ts';
import { lines, tsconfig } from './projects.ts';

const tools = builtInTools.filter(({ toolset }) => toolset === 'editor');

/** What a call needs besides the text at one place of it. */
const REST: Readonly<Record<string, object>> = {
  organize_imports: { files: ['total.ts'] },
  rename_file: { from: 'total.ts', to: 'sum.ts', dryRun: true },
  rename_symbol: { file: 'total.ts', name: 'total', newName: 'sum', dryRun: true },
  setting_get: { key: 'editor.tabSize' },
  setting_set: { key: 'editor.tabSize', scope: 'workspace' },
};

test(`${cites('T4')} no text in any parameter of any editor tool becomes a command`, async () => {
  await using workspace = fileWorkspace({
    'tsconfig.json': tsconfig(),
    'total.ts': lines('export const total = 1;'),
  });
  const server = editorServer(workspace);
  const canary = workspace.file('canary');
  const counts: Record<string, number> = {};
  const codes = new Set<string>();
  for (const { name, input } of tools) {
    const schema = z.toJSONSchema(input, { io: 'input' }) as JsonSchema;
    for (const { where, fill } of stringPlaces(schema)) {
      counts[name] = (counts[name] ?? 0) + 1;
      for (const payload of payloadsFor(canary)) {
        const filled = fill(payload) as Readonly<Record<string, unknown>>;
        const [key = ''] = where.split(/[.[]/);
        const args = { ...REST[name], [key]: filled[key] };
        const { result } = await server.request('tools/call', { name, arguments: args });
        expect(result, `${name} ${where}`).toBeDefined();
        codes.add(result.structuredContent.code ?? 'taken');
      }
    }
  }
  expect(Object.keys(counts)).toEqual(tools.map(({ name }) => name));
  expect(counts['rename_symbol']).toBeGreaterThanOrEqual(6);
  expect([...codes]).toEqual(expect.arrayContaining(['taken', 'bad_name', 'symbol_not_found']));
  expect(existsSync(canary)).toBe(false);
});
