import { statSync } from 'node:fs';
import path from 'node:path';
import { AnswersNeeded, type Asking, createAsking } from '@baton/core';
import { type FileToRead, type ImportedFile, openTickets } from '@baton/runtime';
import { onTerminal } from '../../answer-questions.ts';
import { callerOf } from '../../call-tool.ts';
import type { Command } from '../../command.ts';
import { type Io, print } from '../../io.ts';
import { UsageError } from '../../usage-error.ts';
import { describeImport } from './describe-import.ts';
import { tellingFiles } from './telling-files.ts';
import { markdownIn } from './ticket-folder.ts';
import { type TicketTools, withTickets } from './ticket-tools.ts';

const MOST_FILES = 10_000;

export const importCommand: Command = {
  name: 'ticket import',
  summary:
    'take tickets from Markdown files of the workspace: all of them, or none if one is wrong',
  usage: 'baton ticket import <file|folder…> [--force] [--dry-run] [--json] [flags]',
  flags: {
    force: { type: 'boolean', summary: 'take the file where the ticket has changed here, too' },
    'dry-run': { type: 'boolean', summary: 'only say what would be done' },
    json: { type: 'boolean', summary: 'print what was done as JSON' },
  },
  examples: [
    'baton ticket import tickets',
    'baton ticket import tickets --dry-run',
    'baton ticket import tickets/T-0014-round-money.md --force',
  ],
  maxArguments: MOST_FILES,
  run(io, parsed, extras) {
    if (parsed.positionals.length === 0) {
      throw new UsageError('Which files?', 'Usage: baton ticket import <file|folder…>');
    }
    const { force, json, 'dry-run': dryRun } = parsed.values;
    const options = { force: Boolean(force), dryRun: Boolean(dryRun) };
    return withTickets(io, parsed, extras, (tickets) =>
      tellingFiles(io, async () => {
        const files = filesIn(io, tickets, parsed.positionals);
        const service = await openTickets(tickets.session.baton, 'ticket_create');
        const told = await asking(io, tickets.signal, (asked) =>
          service.import(files, options, callerOf(io), asked),
        );
        await print(
          io.stdout,
          json ? JSON.stringify(told, null, 2) : describeImport(told, options),
        );
        return told.some(({ outcome }) => outcome === 'conflict') ? 1 : 0;
      }),
    );
  },
};

/** Named from where one is; read from the workspace only. */
function filesIn(io: Io, { session }: TicketTools, given: readonly string[]): FileToRead[] {
  const inWorkspace = (file: string) => path.relative(session.workspace.path, file);
  return given.flatMap((name): FileToRead[] => {
    const file = path.resolve(io.cwd, name);
    if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
      return [{ path: inWorkspace(file), isNamed: true }];
    }
    return markdownIn(file).map((entry) => ({
      path: inWorkspace(path.join(file, entry)),
      isNamed: false,
    }));
  });
}

/** As for a tool that asks: it is run again once the person has answered. */
async function asking(
  io: Io,
  signal: AbortSignal,
  work: (asked: Asking) => Promise<ImportedFile[]>,
): Promise<ImportedFile[]> {
  const { can, answer } = onTerminal(io);
  let answers: Readonly<Record<string, unknown>> = {};
  for (;;) {
    try {
      return await work(createAsking('ticket import', { can, isTerminal: true, answers }));
    } catch (error) {
      if (!(error instanceof AnswersNeeded)) throw error;
      answers = { ...answers, ...(await answer(error.requests, signal)) };
    }
  }
}
