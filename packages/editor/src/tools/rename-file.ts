import { defineTool } from '@baton/core';
import * as z from 'zod';
import type { EditorService } from '../service.ts';
import { callOf, countOf, needed, renderEdits, undone } from './editing.ts';
import { edited, editing, filePath } from './schemas.ts';

export const renameFile = defineTool({
  name: 'rename_file',
  title: 'Rename a file',
  description: 'Renames or moves a file or folder and updates every import of it.',
  toolset: 'editor',
  effect: 'destroy',
  input: () => z.object({ from: filePath().optional(), to: filePath().optional(), ...editing() }),
  olderNames: { oldUri: 'from', newUri: 'to' },
  output: () =>
    z.object({
      from: z.string().optional(),
      to: z.string().optional(),
      isFolder: z.boolean().optional(),
      importsUpdated: z.number(),
      ...edited(),
    }),
  examples: [
    { title: 'Move a file', input: { from: 'src/money.ts', to: 'src/billing/money.ts' } },
    { title: 'Look first', input: { from: 'src/orders', to: 'src/sales', dryRun: true } },
    { title: 'Take it back', input: { undo: '0b6e3c1e-5a36-4c37-9f3a-8d5ac1b3a1f0' } },
  ],
  async run(service: EditorService, { from, to, dryRun, undo }, context) {
    if (undo !== undefined) return { importsUpdated: 0, ...(await undone(service, undo)) };
    const request = { from: needed(from, 'from'), to: needed(to, 'to') };
    const { move, ...outcome } = await service.renameFile(request, callOf(context, dryRun));
    return { ...move, importsUpdated: outcome.edits, ...outcome } as never;
  },
  content: (data) => {
    const { from, to, isApplied, importsUpdated, fileCount } = data;
    const imports = `${countOf(importsUpdated, 'import')} in ${countOf(fileCount, 'file')}`;
    const what = isApplied
      ? `Renamed ${from} to ${to} and updated ${imports}.`
      : `Would rename ${from} to ${to} and update ${imports}.`;
    return [{ type: 'text', text: renderEdits(what, data as never) }];
  },
});
