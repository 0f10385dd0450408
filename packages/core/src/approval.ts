import * as z from 'zod';
import { BatonError } from './errors.ts';
import { escapeHidden } from './text.ts';
import type { CommandSource, TrustedCommand } from './trust.ts';

/** How commands stand that are not approved. */
export type Unapproved = 'new' | 'changed';

/** Whoever has to scroll through more than this approves without having read. */
const MAX_QUESTION = 4000;

/**
 * The commands in full, for a person to approve. Each line of a command is marked, so that none
 * can look like the next command, and what nobody would see is made visible.
 */
export function describeCommands(commands: readonly TrustedCommand[]): string {
  return commands.flatMap(describeCommand).join('\n');
}

function describeCommand({ title, command, detail }: TrustedCommand, index: number): string[] {
  const lines = escapeHidden(command).split('\n');
  return [
    `${index + 1}. ${oneLine(title)}`,
    ...lines.map((line, number) => `   ${number === 0 ? '$' : '>'} ${line}`),
    ...(detail === undefined ? [] : [`   with ${oneLine(JSON.stringify(detail))}`]),
  ];
}

/**
 * The question for the person behind the client, unless it would be too long to be read. The
 * key holds the fingerprint: an answer counts for these commands and for no others.
 */
export function approvalQuestion(
  { workspace, source, commands }: CommandSource,
  standing: Unapproved,
  fingerprint: string,
) {
  const shown = `file: ${oneLine(source)}\nworkspace: ${oneLine(workspace)}\n\n${describeCommands(commands)}`;
  const message = `Commands that stand in a file of this repository want to run. ${
    standing === 'new'
      ? 'Nobody has approved them yet.'
      : 'They have CHANGED since they were approved.'
  } Approve exactly what is shown here?\n\n${asCode(shown)}`;
  if (message.length > MAX_QUESTION) return undefined;
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
  const what = `The commands in ${oneLine(source)} ${
    standing === 'new'
      ? 'are new: no person has approved them'
      : 'have CHANGED since a person approved them'
  }`;
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

function oneLine(text: string): string {
  return escapeHidden(text.replaceAll('\n', '\\n'));
}

/** Clients show Markdown, where text can be hidden in links and comments, but not in code. */
function asCode(text: string): string {
  return text.replace(/^/gm, '    ');
}

/** The name of a file may be a trap for whoever pastes it into a shell. */
function asWord(source: string): string {
  return /^[\w.][\w./-]*$/.test(source) ? source : '<file>';
}
