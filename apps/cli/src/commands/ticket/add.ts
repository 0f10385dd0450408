import type { Command } from '../../command.ts';
import { textOf, textsOf, wholeNumberOf } from '../../flag-values.ts';
import { givenText } from '../../given-text.ts';
import { print } from '../../io.ts';
import { UsageError } from '../../usage-error.ts';
import { withTickets } from './ticket-tools.ts';

interface Created {
  readonly id: string;
  readonly state: string;
  readonly next: string;
}

export const add: Command = {
  name: 'ticket add',
  summary: 'put work, or a question, where an agent or a person will find it',
  usage:
    'baton ticket add <title> [--body <text>|-] [--label <label>…] [--need <ticket>…] [--check <command>…] [--priority <1-5>] [--kind <kind>] [--parent <ticket>] [--assignee <name>] [--json] [flags]',
  flags: {
    body: {
      type: 'string',
      value: 'text',
      summary: 'all there is to say; - reads it from the input',
    },
    label: { type: 'string', value: 'label', summary: '', multiple: true },
    need: { type: 'string', value: 'ticket', summary: 'to be done before', multiple: true },
    check: {
      type: 'string',
      value: 'command',
      summary: 'must succeed before it counts as done',
      multiple: true,
    },
    priority: { type: 'string', value: '1-5', summary: '1 comes first (default: 3)' },
    kind: {
      type: 'string',
      value: 'agent|person|question',
      summary: 'who is to do it (default: agent)',
    },
    parent: { type: 'string', value: 'ticket', summary: 'what it is a part of' },
    assignee: { type: 'string', value: 'name', summary: 'nobody else gets it' },
    json: { type: 'boolean', summary: 'print the result as JSON' },
  },
  examples: [
    "baton ticket add 'Round money half to even' --label billing --check 'npm test'",
    "baton ticket add 'Release 2.0' --need T-3 --need T-4 --body - < release.md",
    "baton ticket add 'May we drop Node 18?' --kind question",
  ],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const [title] = parsed.positionals;
    if (!title) throw new UsageError('What is to be done?', 'Usage: baton ticket add <title>');
    const given = {
      title,
      priority: wholeNumberOf(parsed, 'priority'),
      labels: textsOf(parsed, 'label'),
      needs: textsOf(parsed, 'need'),
      checks: textsOf(parsed, 'check'),
      kind: textOf(parsed, 'kind'),
      parent: textOf(parsed, 'parent'),
      assignee: textOf(parsed, 'assignee'),
    };
    const body = textOf(parsed, 'body');
    return withTickets(io, parsed, extras, async (tickets) => {
      const made = await tickets.call<Created>('ticket_create', {
        ...definedIn(given),
        ...(body !== undefined && { body: await givenText(io, body) }),
      });
      const text = `${made.id} is ${made.state}. ${made.next}`;
      await print(io.stdout, parsed.values.json ? JSON.stringify(made, null, 2) : text);
      return 0;
    });
  },
};

function definedIn(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
