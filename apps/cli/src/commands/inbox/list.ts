import { escapeLine } from '@baton/core';
import type { InboxItem } from '@baton/runtime';
import { fit } from '../../columns.ts';
import type { Command } from '../../command.ts';
import { type Io, print, printDrawn } from '../../io.ts';
import { ago, type Style, styleFor } from '../../style.ts';
import { tableLines } from '../../table-lines.ts';
import { type TicketTools, withTickets } from '../ticket/ticket-tools.ts';

const MOST = 100;
const LONGEST_TITLE = 50;

export const inbox: Command = {
  name: 'inbox',
  summary: 'show what waits for a person: questions, decisions, work for people',
  usage: 'baton inbox [--all] [--json] [flags]',
  flags: {
    all: { type: 'boolean', summary: 'of every workspace' },
    json: { type: 'boolean', summary: 'print it as JSON' },
  },
  examples: ['baton inbox', 'baton inbox --all'],
  maxArguments: 0,
  run(io, parsed, extras) {
    return withTickets(io, parsed, extras, async (tickets) => {
      const everywhere = await itemsOf(tickets, 'everywhere');
      const { path } = tickets.session.workspace;
      const items = parsed.values.all ? everywhere : await itemsOf(tickets, 'here');
      const elsewhere = everywhere.filter(({ workspace }) => workspace !== path).length;
      const lines = parsed.values.all
        ? everyLines(io, items)
        : [...hereLines(io, items), ...elsewhereLine(elsewhere)];
      if (parsed.values.json) await print(io.stdout, JSON.stringify(items, null, 2));
      else await printDrawn(io.stdout, `${lines.join('\n')}\n`);
      return 0;
    });
  },
};

async function itemsOf(
  tickets: TicketTools,
  where: 'here' | 'everywhere',
): Promise<readonly InboxItem[]> {
  const query = { inbox: where, limit: MOST };
  return (await tickets.call<{ tickets: readonly InboxItem[] }>('ticket_find', query)).tickets;
}

function hereLines(io: Io, items: readonly InboxItem[]): string[] {
  if (items.length === 0) return ['Nothing waits for a person here.'];
  const style = styleFor(io);
  return [...itemLines(io, items, style), ...moreLine(items), '', ...hints(items, style)];
}

function everyLines(io: Io, items: readonly InboxItem[]): string[] {
  if (items.length === 0) return ['Nothing waits for a person.'];
  const style = styleFor(io);
  const workspaces = [...new Set(items.map(({ workspace = '' }) => workspace))];
  const parts = workspaces.flatMap((workspace) => [
    style.bold(escapeLine(workspace)),
    ...itemLines(
      io,
      items.filter((item) => item.workspace === workspace),
      style,
    ),
    '',
  ]);
  return [...parts.slice(0, -1), ...moreLine(items)];
}

function itemLines(io: Io, items: readonly InboxItem[], style: Style): string[] {
  return tableLines(
    io,
    items.map(({ id, title, why, since }) => [
      style.bold(id),
      fit(escapeLine(title), LONGEST_TITLE),
      style.dim(ago(Date.now() - Date.parse(since))),
      escapeLine(why),
    ]),
  );
}

function moreLine({ length }: readonly InboxItem[]): string[] {
  return length < MOST ? [] : [`These are the ${MOST} most urgent; there may be more.`];
}

/** The commands that fit to what is there. */
function hints(items: readonly InboxItem[], style: Style): string[] {
  const question = items.find(({ kind, state }) => kind === 'question' && state === 'ready');
  const task = items.find(({ kind, state }) => kind === 'person' && state === 'ready');
  const other = items.find(({ state }) => state !== 'ready');
  return [
    ...(question ? [`Answer:  baton inbox answer ${question.id}`] : []),
    ...(task ? [`Done:    baton inbox done ${task.id}`] : []),
    ...(other ? [`Decide:  baton inbox decide ${other.id} accept|retry|cancel`] : []),
  ].map(style.dim);
}

function elsewhereLine(count: number): string[] {
  if (count === 0) return [];
  const more = count >= MOST ? `${MOST} or more` : String(count);
  return [`${more} in other workspaces: baton inbox --all`];
}
