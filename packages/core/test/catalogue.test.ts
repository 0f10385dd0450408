import { createFakeClock, createFakeIds, createMemoryLog } from '@baton/testkit';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import {
  type Catalogue,
  createCatalogue,
  defineFeature,
  defineTool,
  type Feature,
  type Ports,
  type Prompt,
  type Tool,
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

const prompt = (name: string, title = name): Prompt => ({
  name,
  title,
  description: '',
  arguments: [],
  render: () => title,
});

const titlesOf = async (catalogue: Catalogue) =>
  (await catalogue.listPrompts()).map(({ item }) => item.title);

test('prompts that are found stand between the others; the first of a name counts', async () => {
  const of = (id: string, rest: Partial<Feature>) =>
    defineFeature({ id, tools: [], create: () => id, ...rest });
  const first = of('first', {
    findPrompts: async (service) => [
      prompt('c', `c of ${service}`),
      prompt('a', 'found'),
      prompt('c', 'c again'),
    ],
  });
  const second = of('second', {
    prompts: [prompt('d'), prompt('a')],
    findPrompts: () => [prompt('c', 'c of second'), prompt('b')],
  });
  const catalogue = createCatalogue({ features: [first, second], ports });
  expect(await titlesOf(catalogue)).toEqual(['a', 'b', 'c of first', 'd']);
  const services = (await catalogue.listPrompts()).map(async (bound) => bound.service());
  expect(await Promise.all(services)).toEqual(['second', 'second', 'first', 'second']);
});

test('prompts are found anew each time, and what fails is not hidden', async () => {
  const findPrompts = vi
    .fn<() => Prompt[]>()
    .mockReturnValueOnce([prompt('a')])
    .mockReturnValueOnce([])
    .mockImplementationOnce(() => {
      throw new Error('disk full');
    });
  const catalogue = catalogueOf({ prompts: [prompt('fixed')], findPrompts });
  expect(findPrompts).not.toHaveBeenCalled();
  expect(await titlesOf(catalogue)).toEqual(['a', 'fixed']);
  expect(await titlesOf(catalogue)).toEqual(['fixed']);
  await expect(catalogue.listPrompts()).rejects.toThrow('disk full');
});

test('a list of prompts makes no service of a feature that finds none', async () => {
  const create = vi.fn(() => undefined);
  const catalogue = catalogueOf({ prompts: [prompt('fixed')], create });
  expect(await titlesOf(catalogue)).toEqual(['fixed']);
  expect(create).not.toHaveBeenCalled();
});

test('a feature whose toolsets nobody has chosen is not asked for prompts', async () => {
  const found = async (tools: readonly Tool[], options: object) => {
    const create = vi.fn(() => undefined);
    const asked = defineFeature({
      id: 'asked',
      tools,
      prompts: [prompt('fixed')],
      findPrompts: () => [prompt('found')],
      create,
    });
    const other = defineFeature({ id: 'other', tools: [tool('other', 'b')], create: () => 0 });
    const titles = await titlesOf(createCatalogue({ features: [asked, other], ports, ...options }));
    return { titles, isCreated: create.mock.calls.length > 0 };
  };
  const both = { titles: ['fixed', 'found'], isCreated: true };
  const hidden = { toolsets: ['b'] };
  expect(await found([tool('one')], hidden)).toEqual({ titles: ['fixed'], isCreated: false });
  expect(await found([tool('one'), tool('two', 'b')], hidden)).toEqual(both);
  expect(await found([tool('one', 'system')], hidden)).toEqual(both);
  expect(await found([], hidden)).toEqual(both);
  // Only toolsets are chosen for prompts, too.
  expect(await found([tool('one')], { withoutTools: ['one'] })).toEqual(both);
});
