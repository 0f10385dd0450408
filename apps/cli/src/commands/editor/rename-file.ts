import path from 'node:path';
import type { Command } from '../../command.ts';
import { UsageError } from '../../usage-error.ts';
import { calling, editing, editingOf } from './tool-call.ts';

export const renameFile: Command = {
  name: 'rename-file',
  summary: 'rename or move a file or folder, with every import of it',
  usage: 'baton rename-file <from> <to> [--force] [--dry-run] [--json] [flags]',
  flags: {
    ...editing,
    force: { type: 'boolean', summary: 'move it even if nobody can say what imports it' },
  },
  examples: [
    'baton rename-file src/money.ts src/billing/money.ts',
    'baton rename-file src/orders src/sales --dry-run',
    'baton rename-file shop/totals.py lib/sums.py --force',
    'baton rename-file --undo 0b6e3c1e-5a36-4c37-9f3a-8d5ac1b3a1f0',
  ],
  maxArguments: 2,
  run: calling('rename_file', (parsed, folder) =>
    editingOf(parsed, () => {
      const [from, to] = parsed.positionals;
      if (!from || !to) throw new UsageError('Rename what, and to what?', `Usage: ${USAGE}`);
      // From where the person is, not from where the workspace begins.
      const places = { from: path.resolve(folder, from), to: path.resolve(folder, to) };
      return { ...places, ...(parsed.values['force'] && { force: true }) };
    }),
  ),
};

const USAGE = 'baton rename-file <from> <to>';
