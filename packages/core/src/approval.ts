import * as z from 'zod';
import { BatonError } from './errors.ts';
import { lineParts, readableLine, readableLines } from './readable.ts';
import type { CommandSource, CommandsOfFile, TrustedCommand } from './trust.ts';

/** How commands stand that are not approved; `detailed` if they were, but with less shown. */
export type Unapproved = 'new' | 'changed' | 'detailed';

/** Whoever has to scroll through more than this approves without having read. */
const MAX_QUESTION = 4000;
const MAX_QUESTION_LINES = 100;

/**
 * The commands in full, for a person to approve, after what decides where and on what they run.
 * Each line is marked, so that none can look like the next command.
 */
export function describeCommands({ commands, settings = {} }: CommandsOfFile): string {
  const rest = Object.entries(settings).flatMap(([about, setting]) =>
    marked('- ', `${oneLine(about)}: ${oneLine(JSON.stringify(setting))}`),
  );
  return [...rest, ...commands.flatMap(describeCommand)].join('\n');
}

function describeCommand({ title, command, detail }: TrustedCommand, index: number): string[] {
  return [
    ...marked(`${index + 1}. `, oneLine(title)),
    ...readableLines(command).flatMap((line, row) => marked(row === 0 ? '   $ ' : '   > ', line)),
    ...(detail === undefined ? [] : marked('   with ', oneLine(JSON.stringify(detail)))),
  ];
}

function marked(mark: string, line: string): string[] {
  return lineParts(line).map((part, row) => (row === 0 ? mark : '   … ') + part);
}

const STANDING: Readonly<Record<Unapproved, { question: string; refusal: string }>> = {
  new: {
    question: 'Nobody has approved them yet.',
    refusal: 'are new: no person has approved them',
  },
  changed: {
    question: 'They have CHANGED since they were approved.',
    refusal: 'have CHANGED since a person approved them',
  },
  detailed: {
    question:
      'They were approved before, and are shown in more detail now: with all that decides where and on what they run.',
    refusal:
      'were approved without all that decides where and on what they run, which is shown in more detail now: no person has approved that',
  },
};

/**
 * The question for the person behind the client, unless it would be too long to be read. The
 * key holds the fingerprint: an answer counts for these commands and for no others.
 */
export function approvalQuestion(source: CommandSource, standing: Unapproved, fingerprint: string) {
  const shown = [
    ...marked('file: ', oneLine(source.source)),
    ...marked('workspace: ', oneLine(source.workspace)),
    '',
    describeCommands(source),
  ].join('\n');
  const message = `Commands that stand in a file of this repository want to run. ${STANDING[standing].question} Approve exactly what is shown here?\n\n${asCode(shown)}`;
  const isTooLong = message.length > MAX_QUESTION || lineCount(message) > MAX_QUESTION_LINES;
  if (isTooLong) return undefined;
  const schema = z.object({
    approve: z.boolean().describe('Let exactly these commands run, until the file changes'),
  });
  return { key: `trust ${fingerprint}`, message, schema };
}

export function notTrusted(
  { workspace, source, commands }: CommandSource,
  standing: Unapproved,
  reason: 'declined' | 'too long' | 'cannot ask',
): BatonError {
  const what = `The commands in ${oneLine(source)} ${STANDING[standing].refusal}`;
  const why = {
    declined: ', and the person who was asked declined.',
    'too long': `, and they are too long for a question (${commands.length} in all).`,
    'cannot ask': '.',
  }[reason];
  return new BatonError(
    'not_trusted',
    `${what}${why} Nothing was run.`,
    `A person has to look at them and approve them with \`baton trust grant ${asWord(source)}\`, on a terminal in ${oneLine(workspace)}. An agent must not do that for the person.`,
  );
}

function lineCount(text: string): number {
  return text.split('\n').length;
}

function oneLine(text: string): string {
  return readableLine(text.replaceAll('\n', '\\n'));
}

/** Clients show Markdown, where text can be hidden in links and comments, but not in code. */
function asCode(text: string): string {
  return text.replace(/^/gm, '    ');
}

/** The name of a file may be a trap for whoever pastes it into a shell. */
function asWord(source: string): string {
  return /^[\w.][\w./-]*$/.test(source) ? source : '<file>';
}
