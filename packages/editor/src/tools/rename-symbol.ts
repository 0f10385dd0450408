import { defineTool, plainText } from '@baton/core';
import * as z from 'zod';
import type { EditorService } from '../service.ts';
import { callOf, countOf, needed, renderEdits, undone } from './editing.ts';
import { edited, editing, filePath } from './schemas.ts';

const name = () => plainText(200);

export const renameSymbol = defineTool({
  name: 'rename_symbol',
  title: 'Rename a symbol',
  description: 'Renames a symbol that a file declares or uses, and every reference to it.',
  toolset: 'editor',
  effect: 'destroy',
  input: () =>
    z.object({
      file: filePath().optional(),
      name: name().optional(),
      newName: name().optional(),
      line: z.int().min(1).optional(),
      kind: name().optional(),
      container: name().optional().describe('class or function it is in'),
      ...editing(),
    }),
  olderNames: { fileUri: 'file', originalName: 'name' },
  output: () =>
    z.object({
      symbol: z
        .object({
          name: z.string(),
          kind: z.string(),
          container: z.string(),
          file: z.string(),
          line: z.number(),
        })
        .optional(),
      newName: z.string().optional(),
      ...edited(),
    }),
  examples: [
    {
      title: 'Rename a function everywhere',
      input: { file: 'src/totals.ts', name: 'orderTotal', newName: 'totalOf' },
    },
    {
      title: 'One of several',
      input: { file: 'src/order.ts', name: 'state', newName: 'status', container: 'Order' },
    },
  ],
  async run(service: EditorService, input, context) {
    const { undo, dryRun, line, kind, container } = input;
    if (undo !== undefined) return undone(service, undo);
    const request = {
      file: needed(input.file, 'file'),
      name: needed(input.name, 'name'),
      newName: needed(input.newName, 'newName'),
      line,
      kind,
      container,
    };
    const { symbol, ...outcome } = await service.renameSymbol(request, callOf(context, dryRun));
    const { file, range, kind: found, container: within } = symbol;
    return {
      symbol: {
        name: request.name,
        kind: found,
        container: within,
        file,
        line: range.start.line + 1,
      },
      newName: request.newName,
      ...outcome,
    } as never;
  },
  content: (data) => {
    const { symbol, newName, isApplied, edits, fileCount } = data;
    const places = `${countOf(edits, 'reference')} in ${countOf(fileCount, 'file')}`;
    const which = symbol && `${symbol.kind} ${symbol.name} (${symbol.file}:${symbol.line})`;
    const what = isApplied
      ? `Renamed ${which} to ${newName}: updated ${places}.`
      : `Would rename ${which} to ${newName} and update ${places}.`;
    return [{ type: 'text', text: renderEdits(what, data as never) }];
  },
});
