import { existsSync } from 'node:fs';
import { builtInTools } from '@baton/runtime';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { PlanWorld } from '../plans/plan-world.ts';
import { type JsonSchema, payloadsFor, stringPlaces } from '../plans/string-places.ts';
import { until } from '../plans/until.ts';
import { cites } from '../requirements.ts';
import { type TicketServer, ticketServer } from './ticket-server.ts';

/** These are commands of a shell, and nothing else is. */
const SHELL_COMMANDS = /(^|\.)(checks\[\]|command)$/;
const tools = builtInTools.filter(({ toolset }) => toolset === 'tickets');

function placesOf({ input }: (typeof tools)[number]) {
  const schema = z.toJSONSchema(input, { io: 'input' }) as JsonSchema;
  return stringPlaces(schema).filter(({ where }) => !SHELL_COMMANDS.test(where));
}

/** A ticket with a check, and for each call one that this caller has. */
async function input(server: TicketServer, tool: string, filled: object): Promise<object> {
  const checks = ['true'];
  if (tool === 'ticket_create') return { checks, title: 'Ticket', ...filled };
  if (tool === 'ticket_find' || tool === 'ticket_next') return filled;
  const id = await server.ticket('Ticket', { checks, priority: 1 });
  return { id, ...filled, ...('id' in filled && filled.id === 'true' && { id }) };
}

test(`${cites('T4')} no text in any parameter of any ticket tool becomes a command`, async () => {
  await using world = new PlanWorld({ env: { BATON_MAX_JOBS: '0' } });
  const canary = world.file('canary');
  const payloads = payloadsFor(canary);
  const server = ticketServer(world, 'auto');
  const codes = new Set<string>();
  const counts: Record<string, number> = {};
  await Promise.all(
    tools.flatMap((tool) =>
      placesOf(tool).flatMap(({ where, fill }) => {
        counts[tool.name] = (counts[tool.name] ?? 0) + 1;
        return payloads.map(async (payload) => {
          const args = await input(server, tool.name, fill(payload) as object);
          const { result } = await server.request('tools/call', {
            name: tool.name,
            arguments: args,
          });
          expect(result, `${tool.name} ${where}`).toBeDefined();
          codes.add(result.structuredContent.code ?? 'taken');
        });
      }),
    ),
  );
  expect(Object.keys(counts)).toEqual(tools.map(({ name }) => name));
  expect(counts['ticket_create']).toBeGreaterThanOrEqual(10);
  expect([...codes]).toEqual(expect.arrayContaining(['taken', 'invalid_input', 'not_claimed']));
  await reportAll(server, payloads);
  expect(existsSync(canary)).toBe(false);
});

/** Their checks run, under names that are made of their titles. */
async function reportAll(server: TicketServer, payloads: readonly string[]): Promise<void> {
  const titles = payloads.filter((text) => !/[\0\n]/.test(text));
  for (const title of titles) {
    await server.ticket(title, { priority: 1, labels: ['mine'], checks: ['true'] });
    const { ticket, token } = await server.next({ labels: ['mine'] });
    await server.report(ticket.id, token, { summary: title, files: [title], waitSeconds: 0 });
  }
  await until('the end of all checks', async () => {
    return (await server.list({ labels: ['mine'] })).length === 0;
  });
}
