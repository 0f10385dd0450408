import { existsSync } from 'node:fs';
import { builtInTools } from '@baton/runtime';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';
import { HARMLESS, type JsonSchema, payloadsFor, stringPlaces } from './string-places.ts';
import { until } from './until.ts';

/** These are commands of a shell, and nothing else is. */
const SHELL_COMMANDS = /(^|\.)(work|command)$/;
const ACTIONS = ['cancel', 'retry', 'fail'];

function placesOf(tool: string) {
  const { input } = builtInTools.find(({ name }) => name === tool) ?? {};
  if (!input) throw new Error(`There is no tool ${tool}`);
  const schema = z.toJSONSchema(input, { io: 'input' }) as JsonSchema;
  return stringPlaces(schema).filter(({ where }) => !SHELL_COMMANDS.test(where));
}

function inputs(tool: string, filled: object, plan: string): object[] {
  if (tool === 'plan_create' && 'file' in filled) return [filled];
  const jobs = [{ id: HARMLESS, work: HARMLESS }];
  if (tool === 'plan_create') return [{ name: 'Plan', jobs, ...filled }];
  const found = { plan, ...filled };
  // The sample of a plan's id names no plan.
  const named = { ...found, plan: found.plan === HARMLESS ? plan : found.plan };
  if (tool !== 'plan_control') return [tool === 'plan_list' ? filled : named];
  return ACTIONS.map((action) => ({ ...named, action }));
}

const tools = builtInTools.filter(({ toolset }) => toolset === 'plans').map(({ name }) => name);

test(`${cites('T4')} no text in any parameter of any plan tool becomes a command`, async () => {
  await using world = new PlanWorld({ env: { BATON_MAX_JOBS: '0' } });
  const canary = world.file('canary');
  const payloads = payloadsFor(canary);
  const server = world.server('auto');
  const plan = await server.create({ jobs: [{ id: HARMLESS, work: HARMLESS }] });
  const counts: Record<string, number> = {};
  const calls = tools.flatMap((tool) =>
    placesOf(tool).flatMap(({ where, fill }) => {
      counts[tool] = (counts[tool] ?? 0) + 1;
      return payloads
        .flatMap((payload) => inputs(tool, fill(payload) as object, plan))
        .map((input) => ({ tool, where, input }));
    }),
  );
  expect(tools).toEqual(Object.keys(counts));
  expect(counts['plan_create']).toBeGreaterThanOrEqual(15);
  expect(counts['plan_edit']).toBeGreaterThanOrEqual(15);
  const states = new Set<string>();
  await Promise.all(
    calls.map(async ({ tool, where, input }) => {
      const reply = await server.request('tools/call', { name: tool, arguments: input });
      expect(reply.result, `${tool} ${where}`).toBeDefined();
      states.add(reply.result.structuredContent.code ?? reply.result.structuredContent.state);
    }),
  );
  // Some are refused, and others run.
  expect([...states]).toEqual(expect.arrayContaining(['invalid_input', 'running', 'plan_unknown']));
  await until('the end of all plans', async () => {
    // Jobs that wait for a ticket wait for somebody.
    const { tickets } = await server.call('ticket_find', { limit: 100 });
    for (const { id } of tickets) await server.call('ticket_update', { id, state: 'cancelled' });
    const { plans } = await server.call('plan_list', { state: 'running' });
    return plans.length === 0;
  });
  expect(existsSync(canary)).toBe(false);
});
