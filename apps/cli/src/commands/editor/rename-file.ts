import path from 'node:path';
import type { Command } from '../../command.ts';
import { UsageError } from '../../usage-error.ts';
import { calling, editing, editingOf } from './tool-call.ts';

export const renameFile: Command = {
  name: 'rename-file',
  summary: 'rename or move a file or folder, with every import of it',
  usage: 'baton rename-file <from> <to> [--dry-run] [--json] [flags]',
  flags: editing,
  examples: [
    'baton rename-file src/money.ts src/billing/money.ts',
    'baton rename-file src/orders src/sales --dry-run',
    'baton rename-file --undo 0b6e3c1e-5a36-4c37-9f3a-8d5ac1b3a1f0',
  ],
  maxArguments: 2,
  run: calling('rename_file', (parsed, folder) =>
    editingOf(parsed, () => {
      const [from, to] = parsed.positionals;
      if (!from || !to) throw new UsageError('Rename what, and to what?', `Usage: ${USAGE}`);
      // From where the person is, not from where the workspace begins.
      return { from: path.resolve(folder, from), to: path.resolve(folder, to) };
    }),
  ),
};

const USAGE = 'baton rename-file <from> <to>';
