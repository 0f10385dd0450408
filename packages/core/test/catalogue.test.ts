import { createFakeClock, createFakeIds, createMemoryLog } from '@baton/testkit';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import {
  createCatalogue,
  defineFeature,
  defineTool,
  type Feature,
  type Ports,
} from '../src/index.ts';

const ports: Ports = {
  clock: createFakeClock(),
  ids: createFakeIds(),
  log: createMemoryLog(),
  changes: { publish() {}, subscribe: () => () => {} },
  workspace: { path: '/w', foundBy: 'folder' },
  trust: { require: () => Promise.reject(new Error('nobody asks')), isTrusted: async () => false },
};

const tool = (name: string, toolset = 'a') =>
  defineTool({
    name,
    title: name,
    description: 'Does it.',
    toolset,
    effect: 'read',
    input: z.object({}),
    output: z.object({}),
    examples: [],
    run: () => ({}),
  });

function catalogueOf(feature: Partial<Feature>, options = {}) {
  const complete = defineFeature({ id: 'f', tools: [], create: () => ({}), ...feature });
  return createCatalogue({ features: [complete], ports, ...options });
}

test('a service is created on first use, once, however many ask at once', async () => {
  const create = vi.fn(async () => ({ made: true }));
  const { tools } = catalogueOf({ tools: [tool('one'), tool('two')], create });
  expect(create).not.toHaveBeenCalled();
  const services = await Promise.all(tools.map((bound) => bound.service()));
  expect(create).toHaveBeenCalledTimes(1);
  expect(services[0]).toBe(services[1]);
});

test('a feature without a service is created once, too', async () => {
  const create = vi.fn(() => undefined);
  const { tools } = catalogueOf({ tools: [tool('one')], create });
  await tools[0]?.service();
  await tools[0]?.service();
  expect(create).toHaveBeenCalledTimes(1);
});

test('a service that could not be created is tried again', async () => {
  const create = vi.fn().mockRejectedValueOnce(new Error('disk full')).mockResolvedValue('made');
  const { tools } = catalogueOf({ tools: [tool('one')], create });
  await expect(tools[0]?.service()).rejects.toThrow('disk full');
  await expect(tools[0]?.service()).resolves.toBe('made');
});

test('an unknown toolset is refused and the known ones are listed', () => {
  expect(() => catalogueOf({ tools: [tool('one')] }, { toolsets: ['b'] })).toThrow(
    expect.objectContaining({ code: 'unknown_toolset', next: 'Choose from: a.' }),
  );
});

test('a tool that is to be left out must exist', () => {
  expect(() => catalogueOf({ tools: [tool('one')] }, { withoutTools: ['onne'] })).toThrow(
    expect.objectContaining({ message: 'There is no tool "onne". Did you mean one?' }),
  );
});

test('an alias whose tool is hidden is no way around that', () => {
  const options = { aliases: { old: 'one' }, toolsets: ['b'] };
  const catalogue = catalogueOf({ tools: [tool('one'), tool('two', 'b')] }, options);
  expect(catalogue.alias('old')).toBeUndefined();
  expect(() => catalogue.tool('old')).toThrow(expect.objectContaining({ code: 'hidden_tool' }));
  // Nor is a name suggested that cannot be called.
  expect(() => catalogue.tool('olt')).toThrow(
    expect.objectContaining({ message: 'There is no tool "olt".' }),
  );
  expect(catalogue.alias('toString')).toBeUndefined();
});

test('an alias is a name, or says how arguments and results are translated', () => {
  const input = () => ({});
  const bare = () => null;
  const aliases = { old: 'one', older: { tool: 'one', input, bare }, none: { tool: 'gone' } };
  const catalogue = catalogueOf({ tools: [tool('one')] }, { aliases });
  expect(catalogue.alias('old')).toEqual({ tool: 'one' });
  expect(catalogue.alias('older')).toEqual({ tool: 'one', input, bare });
  expect(catalogue.alias('one')).toBeUndefined();
  expect(catalogue.alias('none')).toBeUndefined();
  expect(catalogue.tool('older')).toEqual({ ...catalogue.tool('one'), input });
  expect(catalogue.tool('old')).toBe(catalogue.tool('one'));
  expect(() => catalogue.tool('oldr')).toThrow(/Did you mean old/);
});

test('names that clients refuse cannot be defined', () => {
  for (const name of ['Plan', 'plan.create', 'plan-create', '', 'x'.repeat(60), '_a', 'a__b']) {
    expect(() => tool(name)).toThrow(TypeError);
  }
});
