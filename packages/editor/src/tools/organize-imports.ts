import { defineTool } from '@baton/core';
import * as z from 'zod';
import type { EditorService } from '../service.ts';
import { callOf, countOf, needed, renderEdits, undone } from './editing.ts';
import { edited, editing, filePath } from './schemas.ts';

export const organizeImports = defineTool({
  name: 'organize_imports',
  title: 'Organise imports',
  description: 'Sorts the imports of files and removes those that nothing uses.',
  toolset: 'editor',
  effect: 'destroy',
  input: () => z.object({ files: z.array(filePath()).min(1).max(100).optional(), ...editing() }),
  output: () => z.object(edited()),
  examples: [{ title: 'Two files', input: { files: ['src/order.ts', 'src/invoice.ts'] } }],
  async run(service: EditorService, { files, dryRun, undo }, context) {
    if (undo !== undefined) return undone(service, undo);
    return (await service.organizeImports(
      needed(files, 'files'),
      callOf(context, dryRun),
    )) as never;
  },
  content: (data) => {
    const { isApplied, fileCount, diff } = data;
    const what = isApplied
      ? `Organised the imports of ${countOf(fileCount, 'file')}.`
      : fileCount > 0 && diff
        ? `Would organise the imports of ${countOf(fileCount, 'file')}.`
        : 'The imports are in order already.';
    return [{ type: 'text', text: renderEdits(what, data as never) }];
  },
});
