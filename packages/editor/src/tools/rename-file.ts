import { defineTool } from '@baton/core';
import * as z from 'zod';
import type { EditorService } from '../service.ts';
import { callOf, countOf, needed, renderEdits, undone } from './editing.ts';
import { edited, editing, filePath } from './schemas.ts';

const MAX_UNKNOWN = 40;

export const renameFile = defineTool({
  name: 'rename_file',
  title: 'Rename a file',
  description: 'Renames or moves a file or folder and updates every import of it.',
  toolset: 'editor',
  effect: 'destroy',
  input: () =>
    z.object({
      from: filePath().optional(),
      to: filePath().optional(),
      force: z.boolean().default(false).describe('move with unknown imports'),
      ...editing(),
    }),
  olderNames: { oldUri: 'from', newUri: 'to' },
  output: () =>
    z.object({
      from: z.string().optional(),
      to: z.string().optional(),
      isFolder: z.boolean().optional(),
      importsUpdated: z.number(),
      importsUnknown: z.array(z.string()).optional(),
      ...edited(),
    }),
  examples: [
    { title: 'Move a file', input: { from: 'src/money.ts', to: 'src/billing/money.ts' } },
    { title: 'Look first', input: { from: 'src/orders', to: 'src/sales', dryRun: true } },
    { title: 'Take it back', input: { undo: '0b6e3c1e-5a36-4c37-9f3a-8d5ac1b3a1f0' } },
  ],
  async run(service: EditorService, { from, to, force, dryRun, undo }, context) {
    if (undo !== undefined) return { importsUpdated: 0, ...(await undone(service, undo)) };
    const request = { from: needed(from, 'from'), to: needed(to, 'to'), force };
    const { move, unknown, ...outcome } = await service.renameFile(
      request,
      callOf(context, dryRun),
    );
    return {
      ...move,
      importsUpdated: outcome.edits,
      ...(unknown.length > 0 && { importsUnknown: unknown.slice(0, MAX_UNKNOWN) }),
      ...outcome,
    } as never;
  },
  content: (data) => {
    const { from, to, isApplied, importsUpdated, importsUnknown, fileCount, leftAlone } = data;
    const imports = `${countOf(importsUpdated, 'import')} in ${countOf(fileCount, 'file')}`;
    // Nothing is said about imports where none was found: that can also mean that nobody knows.
    const updated = importsUpdated > 0 ? ` and update${isApplied ? 'd' : ''} ${imports}` : '';
    const what = `${isApplied ? 'Renamed' : 'Would rename'} ${from} to ${to}${updated}.`;
    const mentions = leftAlone ? 'see to the mentions below' : 'no text mentions it';
    const unknown = importsUnknown
      ? ` What else refers to it is unknown (${importsUnknown.join(', ')}): ${mentions}.`
      : '';
    return [{ type: 'text', text: renderEdits(what + unknown, data as never) }];
  },
});
