import path from 'node:path';
import { BatonError, type CommandSource, describeCommands, escapeLine } from '@baton/core';
import {
  commandFiles,
  createApprovals,
  type Grant,
  passedEnvironment,
  readCommandSource,
  sourceName,
} from '@baton/runtime';
import { isTerminal } from '../answer-questions.ts';
import type { Command } from '../command.ts';
import type { Parsed } from '../flags.ts';
import { type Io, print } from '../io.ts';
import { isYes, readLine } from '../read-line.ts';
import { hasStore, openSession } from '../session.ts';
import { UsageError } from '../usage-error.ts';

const list: Command = {
  name: 'trust list',
  summary: "show which commands of this workspace's files are approved",
  usage: 'baton trust list [--json] [flags]',
  flags: { json: { type: 'boolean', summary: 'print it as JSON' } },
  examples: ['baton trust list'],
  maxArguments: 0,
  async run(io, parsed, extras) {
    await using session = await openSession(io, parsed, extras, { logTo: 'file' });
    const { workspace, store } = session;
    const grants = hasStore(session) ? await createApprovals(store).list(workspace.path) : [];
    const text = grants.map(describe).join('\n\n') || `Nothing is approved in ${workspace.path}.`;
    await print(io.stdout, parsed.values.json ? JSON.stringify(grants, null, 2) : text);
    return 0;
  },
};

const grant: Command = {
  name: 'trust grant',
  summary: 'look at the commands in a file, and approve exactly these',
  usage: 'baton trust grant <file> [--yes] [flags]',
  flags: { yes: { type: 'boolean', summary: 'approve what is shown without being asked' } },
  examples: ['baton trust grant plans/release.yaml'],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const file = fileIn(io, parsed, 'grant');
    const isAsked = !parsed.values.yes;
    if (isAsked && !isTerminal(io)) {
      throw new UsageError(
        'Nobody can be asked here: this is not a terminal.',
        'Run it on a terminal, or add --yes if you know what is in the file.',
      );
    }
    await using session = await openSession(io, parsed, extras, { logTo: 'file' });
    const environment = passedEnvironment(io.env, session.config.passEnv);
    const known = [...commandFiles(environment), ...(extras.commandFiles ?? [])];
    // Read once: what is approved is what was shown, whatever becomes of the file meanwhile.
    const found = await readCommandSource(session.workspace.path, file, known);
    if (found.commands.length === 0) {
      await print(io.stdout, `There are no commands in ${escapeLine(found.source)}.`);
      return 0;
    }
    const heading = `${count(found)} in ${escapeLine(found.source)}:`;
    await print(io.stdout, `${heading}\n\n${describeCommands(found)}\n\n`);
    if (isAsked && !(await confirms(io, found))) {
      await print(io.stderr, 'Nothing was approved.');
      return 1;
    }
    const by = isAsked ? 'baton trust grant' : 'baton trust grant --yes';
    await createApprovals(session.store).grant(found, by);
    await print(io.stdout, 'Approved, until anything in them changes.');
    return 0;
  },
};

const revoke: Command = {
  name: 'trust revoke',
  summary: 'take the approval of a file back',
  usage: 'baton trust revoke <file> [flags]',
  flags: {},
  examples: ['baton trust revoke plans/release.yaml'],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const file = fileIn(io, parsed, 'revoke');
    await using session = await openSession(io, parsed, extras, { logTo: 'file' });
    const { workspace, store } = session;
    // Not looked for on the disk: a file that is gone can have an approval, too.
    const source = sourceName(workspace.path, file);
    const isRevoked =
      source !== undefined &&
      hasStore(session) &&
      (await createApprovals(store).revoke(workspace.path, source));
    if (!isRevoked) {
      throw new BatonError(
        'not_approved',
        `There is no approval of ${file}.`,
        `\`baton trust list\` shows what is approved; name it from ${workspace.path}.`,
      );
    }
    await print(io.stdout, `${escapeLine(source)} is not approved any more.`);
    return 0;
  },
};

export const trustCommands: readonly Command[] = [list, grant, revoke];

function fileIn(io: Io, { positionals: [file] }: Parsed, command: string): string {
  if (!file) throw new UsageError('Which file?', `Usage: baton trust ${command} <file>`);
  return path.resolve(io.cwd, file);
}

async function confirms(io: Io, found: CommandSource): Promise<boolean> {
  io.stdout.write(
    `Approve ${found.commands.length === 1 ? 'this' : 'these'} ${count(found)}? [y/N] `,
  );
  return isYes(await readLine(io.stdin));
}

function count({ commands: { length } }: CommandSource): string {
  return length === 1 ? '1 command' : `${length} commands`;
}

function describe(grant: Grant): string {
  const { source, by, at } = grant;
  const heading = `${escapeLine(source)}, approved ${new Date(at).toISOString()} by ${by}:`;
  return `${heading}\n${describeCommands(grant)}`;
}
