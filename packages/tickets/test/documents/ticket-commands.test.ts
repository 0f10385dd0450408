import { expect, test } from 'vitest';
import { ticketCommands, writeTicketDocument } from '../documents-under-test.ts';
import { full, plain } from './examples.ts';

test('the checks of a ticket can be approved, with all that decides what they do', async () => {
  expect(ticketCommands.reads('tickets/T-0014.md')).toBe(true);
  expect(ticketCommands.reads('plan.yaml')).toBe(false);
  const { commands } = await ticketCommands.find(await writeTicketDocument(full), 'T.md', '/w');
  expect(commands).toEqual([
    { title: 'check 1', command: 'npm test' },
    {
      title: 'check 2',
      command: 'node scripts/login.mjs --twice',
      detail: {
        executable: 'node',
        args: ['scripts/login.mjs', '--twice'],
        timeoutSeconds: 60,
      },
    },
  ]);
});

test('a ticket without checks runs nothing, and what is no ticket says so', async () => {
  const found = await ticketCommands.find(await writeTicketDocument(plain), 'T.md', '/w');
  expect(found).toEqual({ commands: [] });
  await expect(ticketCommands.find('# Read me', 'README.md', '/w')).rejects.toMatchObject({
    code: 'ticket_file_invalid',
  });
});
