import path from 'node:path';
import type { Command } from '../../command.ts';
import { textOf, wholeNumberOf } from '../../flag-values.ts';
import type { Parsed } from '../../flags.ts';
import { UsageError } from '../../usage-error.ts';
import { calling, editing, editingOf } from './tool-call.ts';

export const renameSymbol: Command = {
  name: 'rename-symbol',
  summary: 'rename a symbol, with every reference to it',
  usage: 'baton rename-symbol <file> <name> <new-name> [--line <n>] [--dry-run] [--json] [flags]',
  flags: {
    ...editing,
    line: { type: 'string', value: 'n', summary: 'the line in which it stands' },
    kind: { type: 'string', value: 'kind', summary: 'function, class, method, parameter, …' },
    container: { type: 'string', value: 'name', summary: 'the class or function it is in' },
  },
  examples: [
    'baton rename-symbol src/totals.ts orderTotals totalsOf',
    'baton rename-symbol src/order.ts state status --container Order --dry-run',
  ],
  maxArguments: 3,
  run: calling('rename_symbol', (parsed, folder) =>
    editingOf(parsed, () => {
      const [file, name, newName] = parsed.positionals;
      if (!file || !name || !newName) throw new UsageError('Rename what, and to what?', USAGE);
      return { file: path.resolve(folder, file), name, newName, ...choosing(parsed) };
    }),
  ),
};

const USAGE = 'Usage: baton rename-symbol <file> <name> <new-name>';

function choosing(parsed: Parsed): object {
  const choice = {
    line: wholeNumberOf(parsed, 'line'),
    kind: textOf(parsed, 'kind'),
    container: textOf(parsed, 'container'),
  };
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}
