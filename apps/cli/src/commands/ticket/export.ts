import path from 'node:path';
import {
  type ExportedFile,
  openTickets,
  requireUnprotectedFolder,
  type TicketService,
} from '@baton/runtime';
import type { Command } from '../../command.ts';
import { countOf } from '../../count-of.ts';
import { textOf } from '../../flag-values.ts';
import { print } from '../../io.ts';
import { UsageError } from '../../usage-error.ts';
import { tellingFiles } from './telling-files.ts';
import { ticketFolder } from './ticket-folder.ts';
import { withTickets } from './ticket-tools.ts';

type State = Parameters<TicketService['export']>[0];

const STATES: readonly State[] = [
  'all',
  'open',
  'waiting',
  'ready',
  'claimed',
  'verifying',
  'blocked',
  'done',
  'failed',
  'cancelled',
];

export const exportCommand: Command = {
  name: 'ticket export',
  summary: 'write tickets as Markdown files, one for each, to read, edit or keep with the code',
  usage: 'baton ticket export <folder> [--state <state>] [--force] [--json] [flags]',
  flags: {
    state: { type: 'string', value: 'state', summary: `${STATES.join(', ')} (default: all)` },
    force: { type: 'boolean', summary: 'overwrite files with changes that were not imported' },
    json: { type: 'boolean', summary: 'print what was written as JSON' },
  },
  examples: ['baton ticket export tickets', 'baton ticket export tickets --state open'],
  maxArguments: 1,
  run(io, parsed, extras) {
    const [folder] = parsed.positionals;
    if (!folder) throw new UsageError('Which folder?', 'Usage: baton ticket export <folder>');
    const given = textOf(parsed, 'state') ?? 'all';
    const state = STATES.find((known) => known === given);
    if (!state)
      throw new UsageError(
        `There is no state ${JSON.stringify(given)}.`,
        `There is ${STATES.join(', ')}.`,
      );
    return withTickets(io, parsed, extras, (tickets) =>
      tellingFiles(io, async () => {
        const { baton, workspace } = tickets.session;
        const service = await openTickets(baton, 'ticket_find');
        const full = path.resolve(io.cwd, folder);
        requireUnprotectedFolder(workspace, full);
        const target = ticketFolder(workspace.path, full);
        const files = await service.export(state, target, Boolean(parsed.values.force));
        const text = parsed.values.json ? JSON.stringify(files, null, 2) : describe(files, folder);
        await print(io.stdout, text);
        return 0;
      }),
    );
  },
};

function describe(files: readonly ExportedFile[], folder: string): string {
  const count = (outcome: ExportedFile['outcome']) =>
    files.filter((file) => file.outcome === outcome).length;
  return [
    ...files
      .filter(({ outcome }) => outcome !== 'unchanged')
      .map(({ outcome, ticket, file }) => `${outcome.padEnd(9)} ${ticket.padEnd(5)} ${file}`),
    `${countOf(files.length, 'ticket')} in ${folder}: ${count('created')} created, ${count('changed')} changed, ${count('unchanged')} unchanged.`,
  ].join('\n');
}
