import { readFileSync } from 'node:fs';
import type { Tool } from '@baton/core';
import { builtInTools } from '@baton/runtime';
import { serveProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { PlanServer } from './plans/plan-server.ts';
import { PlanWorld } from './plans/plan-world.ts';
import { program } from './programs.ts';
import { cites } from './requirements.ts';
import type { AnyResult } from './ways.ts';

/** Keys of an input, at any depth, whose value is a command or a list of commands. */
const HOLDS_COMMANDS =
  /^(work|checks?|verify|before|setup|commands?|cmd|shell|script|exec|executable|program)$/i;

/** Tools that start what they were not given: commands that a plan or a ticket holds already. */
const STARTS_COMMANDS = ['ticket_report'];

function keysIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(keysIn)];
}

/** Tools whose hints tell a client that a call can do anything, as they arrive at a client. */
async function announcedTools(server: PlanServer): Promise<string[]> {
  const { result } = await server.request('tools/list');
  return result.tools
    .filter(({ annotations: hints }: AnyResult) => !hints.readOnlyHint)
    .filter(({ annotations: hints }: AnyResult) => hints.destructiveHint && hints.openWorldHint)
    .map(({ name }: AnyResult) => name);
}

test(`${cites('T47')} every tool that takes commands, or starts them, is announced as one that can do anything`, async () => {
  await using world = new PlanWorld();
  const takesCommands = builtInTools
    .filter(({ input }) =>
      keysIn(z.toJSONSchema(input, { io: 'input' })).some((key) => HOLDS_COMMANDS.test(key)),
    )
    .map(({ name }) => name);
  expect(takesCommands.length).toBeGreaterThan(4);
  expect(await announcedTools(world.server('off'))).toEqual(
    [...takesCommands, ...STARTS_COMMANDS].sort(),
  );
});

test(`${cites('T47')} the rules for opencode, which heeds no hints, ask before the same tools`, async () => {
  await using served = await serveProgram(program);
  const config = await served.program.until('a configuration', () =>
    served.program.garbage.find((line) => line.includes('{"mcp":')),
  );
  const running = builtInTools.filter(({ effect }) => effect === 'run');
  const permission = Object.fromEntries(running.map(({ name }) => [`baton_${name}`, 'ask']));
  expect(JSON.parse(config).permission).toEqual(permission);
  const guide = readFileSync(new URL('../../docs/approvals.md', import.meta.url), 'utf8');
  const [, shown = ''] = /```json\n(.*?)```/s.exec(guide) ?? [];
  expect(JSON.parse(shown)).toEqual({ permission });
});

/** Every example of a tool, and the first one with every value of every choice. */
function callsOf({ input, examples }: Tool): object[] {
  const choices = Object.entries(input.shape).flatMap(([key, schema]) => {
    const { enum: values = [] } = z.toJSONSchema(schema as z.ZodType, { io: 'input' });
    return values.map((value) => ({ ...examples[0]?.input, [key]: value }));
  });
  return [...examples.map((example) => example.input), ...choices];
}

test(`${cites('T47')} no other tool leads to a command, whatever waits to be started`, async () => {
  await using world = new PlanWorld();
  const server = world.server('off');
  const leaveTrace = (name: string) => `echo ${name} >> traces`;
  const jobs = [{ id: 'build', work: leaveTrace('job') }];
  await server.call('ticket_create', { title: 'Wait', checks: [leaveTrace('check')] });
  const { token } = await server.call('ticket_next', { agent: 'tester' });

  /** What all commands that are due have left, once a worker has run them. */
  const traces = async () => {
    await (await world.worker({ env: { BATON_WORKER_IDLE_SECONDS: '0' } })).exited;
    return [...new Set(world.lines('traces'))].sort();
  };
  /** The calls of the examples, about what there is here. */
  const callAll = async (tool: Tool) => {
    for (const input of callsOf(tool)) {
      const here = {
        ...('plan' in input && { plan: await server.create({ jobs, paused: true }) }),
        ...('token' in input && { id: 'T-1', token }),
        ...('jobs' in input && tool.name === 'plan_create' && { jobs }),
        ...('waitSeconds' in tool.input.shape && { waitSeconds: 0 }),
      };
      // Some are refused, which starts nothing either.
      await server.request('tools/call', { name: tool.name, arguments: { ...input, ...here } });
    }
  };
  const announced = await announcedTools(server);
  for (const tool of builtInTools) if (!announced.includes(tool.name)) await callAll(tool);
  await server.create({ jobs: [{ id: 'last', work: leaveTrace('last') }] });
  expect(await traces()).toEqual(['last']);

  // The same calls do lead to commands where this is announced.
  for (const name of ['ticket_report', 'plan_control']) {
    await callAll(builtInTools.find((tool) => tool.name === name) as Tool);
  }
  expect(await traces()).toEqual(['check', 'job', 'last']);
});
