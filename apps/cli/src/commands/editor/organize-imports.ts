import path from 'node:path';
import type { Command } from '../../command.ts';
import { UsageError } from '../../usage-error.ts';
import { calling, editing, editingOf } from './tool-call.ts';

export const organizeImports: Command = {
  name: 'organize-imports',
  summary: 'sort the imports of files and remove those that nothing uses',
  usage: 'baton organize-imports <file…> [--dry-run] [--json] [flags]',
  flags: editing,
  examples: ['baton organize-imports src/order.ts src/invoice.ts'],
  maxArguments: 100,
  run: calling('organize_imports', (parsed, folder) =>
    editingOf(parsed, () => {
      if (parsed.positionals.length === 0) throw new UsageError('Of which files?');
      return { files: parsed.positionals.map((file) => path.resolve(folder, file)) };
    }),
  ),
};
