import { defineTool } from '@baton/core';
import * as z from 'zod';
import type { EditorService } from '../service.ts';
import { scope, settingKey } from './setting-schemas.ts';

export const settingSet = defineTool({
  name: 'setting_set',
  title: 'Change an editor setting',
  description: 'Sets a setting of VS Code that is known to be harmless.',
  toolset: 'editor',
  effect: 'destroy',
  input: () =>
    z.object({
      key: settingKey(),
      value: z.unknown().optional().describe('none: removes it'),
      scope: scope(),
    }),
  output: () =>
    z.object({
      key: z.string(),
      scope: z.string(),
      value: z.unknown().optional(),
      before: z.unknown().optional(),
    }),
  examples: [
    {
      title: 'For this workspace',
      input: { key: 'editor.tabSize', value: 2, scope: 'workspace' },
    },
  ],
  run: (service: EditorService, { key, value, scope: where }) =>
    service.setSetting(key, value, where) as never,
});
