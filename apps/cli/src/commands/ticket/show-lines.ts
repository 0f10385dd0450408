import { escapeControls, escapeLine } from '@baton/core';
import { duration, type Style } from '../../style.ts';
import { ticketState } from './ticket-state.ts';
import type { WholeTicket } from './whole-ticket.ts';

const LINKS = {
  needs: 'Needs',
  blocks: 'Needed by',
  parent: 'Part of',
  subtasks: 'Parts',
  related: 'Related',
  duplicateOf: 'Same as',
  duplicates: 'Duplicates',
} as const;

/** All of a ticket, for a person to read. */
export function showLines(ticket: WholeTicket, style: Style): string[] {
  return [
    `${style.bold(ticket.id)}  ${style.bold(escapeLine(ticket.title))}`,
    factsOf(ticket, style),
    style.dim(escapeLine(originOf(ticket))),
    ...section('', ticket.body.trimEnd() === '' ? [] : textLines(ticket.body.trimEnd())),
    ...section('', linkLines(ticket)),
    ...section(style.bold('Checks'), checkLines(ticket, style)),
    ...section(style.bold('Result'), ticket.resolution ? indented(ticket.resolution) : []),
    ...section(
      style.bold('Notes'),
      ticket.notes.flatMap((note) => noteLines(note, style)),
    ),
    ...section(
      style.bold('History'),
      ticket.history.map((entry) => `  ${escapeLine(entry)}`),
    ),
  ];
}

function factsOf(ticket: WholeTicket, style: Style): string {
  const { state, priority, kind, labels, assignee, claimedBy, waitsFor, attempts } = ticket;
  const facts = [
    `priority ${priority}`,
    { agent: 'for agents', person: 'for a person', question: 'a question' }[kind],
    ...(assignee ? [`for ${assignee} only`] : []),
    ...(claimedBy ? [`${claimedBy} has it`] : []),
    ...(ticket.leaseSecondsLeft === undefined
      ? []
      : [`for another ${duration(ticket.leaseSecondsLeft)}`]),
    ...(waitsFor ? [`waits for ${waitsFor}`] : []),
    ...(labels ? [`labels: ${labels.join(', ')}`] : []),
    ...(attempts.startsWith('0/') ? [] : [`attempts ${attempts}`]),
  ];
  return `${ticketState(state, style)}  ${escapeLine(facts.join(', '))}`;
}

function originOf({ source, createdAt, updatedAt, version, uuid }: WholeTicket): string {
  const [, author = ''] = source.split(', written by ');
  return `written by ${author} ${createdAt}, changed ${updatedAt}, version ${version}, ${uuid}`;
}

function section(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return heading === '' ? ['', ...lines] : ['', heading, ...lines];
}

function linkLines(ticket: WholeTicket): string[] {
  const { open = [] } = ticket;
  return Object.entries(LINKS).flatMap(([type, name]) => {
    const refs = ticket[type as keyof typeof LINKS] ?? [];
    const named = refs.map((ref) => open.find((need) => need.startsWith(`${ref} `)) ?? ref);
    return named.length === 0 ? [] : [`${`${name}:`.padEnd(12)}${escapeLine(named.join(', '))}`];
  });
}

/** What the checks have shown, or those that will be run. */
function checkLines({ checks = [], evidence }: WholeTicket, style: Style): string[] {
  if (!evidence) return checks.flatMap((check) => indented(check, '  $ '));
  const at = evidence.commit ? ` at ${evidence.commit.slice(0, 12)}` : '';
  const where = evidence.dirty ? ' in the workspace as it was' : at;
  return [
    `  ${evidence.verdict}${where}`,
    ...evidence.checks.flatMap(({ command, passed, message, seconds, output = '', log }) => [
      [
        `  ${passed ? style.green('✔') : style.red('✖')} ${escapeLine(command)}`,
        ...(seconds === undefined ? [] : [duration(seconds)]),
        ...(message ? [escapeLine(message)] : []),
      ].join('  '),
      ...(passed || output === '' ? [] : indented(output.trimEnd(), '    │ ')),
      ...(passed ? [] : [style.dim(`    all of it: ${escapeLine(commandFor(log))}`)]),
    ]),
  ];
}

/** How a person reads what a client reads as a resource. */
function commandFor(log: string): string {
  const [, plan, job] = /^baton:\/\/plan\/([^/]+)\/job\/([^/]+)\/log$/.exec(log) ?? [];
  return plan && job ? `baton plan logs ${plan.slice(0, 8)} ${job} --all` : log;
}

function noteLines({ at, by, text }: WholeTicket['notes'][number], style: Style): string[] {
  return [style.dim(escapeLine(`  ${by}, ${at}:`)), ...indented(text.trimEnd(), '    ')];
}

function textLines(text: string): string[] {
  return escapeControls(text).split(/\r?\n/);
}

function indented(text: string, indent = '  '): string[] {
  return textLines(text).map((line) => `${indent}${line}`);
}
