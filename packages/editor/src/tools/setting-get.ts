import { defineTool } from '@baton/core';
import * as z from 'zod';
import type { EditorService } from '../service.ts';
import { scope, settingKey } from './setting-schemas.ts';

export const settingGet = defineTool({
  name: 'setting_get',
  title: 'Read an editor setting',
  description: 'Reads a setting of VS Code.',
  toolset: 'editor',
  effect: 'read',
  input: () => z.object({ key: settingKey(), scope: scope().optional() }),
  output: () =>
    z.object({
      key: z.string(),
      isSet: z.boolean(),
      scope: z.string().optional(),
      value: z.unknown().optional(),
    }),
  examples: [{ title: 'What counts here?', input: { key: 'editor.tabSize' } }],
  run: (service: EditorService, { key, scope: wanted }) => service.getSetting(key, wanted) as never,
});
