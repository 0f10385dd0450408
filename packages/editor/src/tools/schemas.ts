import { plainText } from '@baton/core';
import * as z from 'zod';

/** A path in the workspace, absolute, or a `file:` URI. */
export const filePath = () => plainText(4096);

export const editing = () => ({
  dryRun: z.boolean().default(false),
  undo: plainText(100).optional().describe('id to take back'),
});

/** What every tool that edits files answers. */
export const edited = () => ({
  isApplied: z.boolean(),
  edits: z.number(),
  fileCount: z.number(),
  files: z.array(z.object({ file: z.string(), edits: z.number() })),
  undo: z.string().optional(),
  unsaved: z.array(z.string()).optional(),
  undone: z.string().optional(),
  diff: z.string().optional(),
  leftAlone: z
    .object({
      count: z.number(),
      places: z.array(
        z.object({ file: z.string(), line: z.number(), where: z.string(), text: z.string() }),
      ),
      moreFiles: z.number().optional(),
    })
    .optional(),
});
