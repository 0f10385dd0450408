import { expect, test } from 'vitest';
import { readCatalogFile } from '../declared-under-test.ts';
import { told } from './told.ts';

const KNOWN = ['orders', 'customers', '__proto__'];

async function read(text: string, known: readonly string[] = KNOWN) {
  const { declared, problems } = await readCatalogFile(text, 'shop/catalog.yaml', known);
  for (const { file } of problems) expect(file).toBe('shop/catalog.yaml');
  return { ...declared, problems: told(problems) };
}

test('all that a catalogue can say', async () => {
  const text = `
description: Our web shop, exported every night.
categories:
  orders:
    name: Orders
    description: What was bought.
    aliases: [purchases]
    key: order_no
    labels: [order_no]
    hidden: false
    csv: { delimiter: ';' }
    fields:
      cust: { description: Who bought it, type: text, aliases: [customer], secret: true }
    relations:
      customer: { field: cust, to: customers, toField: id, cardinality: one }
      weekday: none
  buyers:
    file: customers.csv
    key: [country, number]
  customers:
`;
  expect(await read(text)).toEqual({
    description: 'Our web shop, exported every night.',
    problems: [],
    categories: [
      {
        key: 'orders',
        declared: {
          name: 'Orders',
          description: 'What was bought.',
          aliases: ['purchases'],
          key: ['order_no'],
          labels: ['order_no'],
          csv: { delimiter: ';' },
          fields: [
            {
              name: 'cust',
              description: 'Who bought it',
              type: 'text',
              aliases: ['customer'],
              isSecret: true,
            },
          ],
          relations: [
            { name: 'customer', field: 'cust', to: 'customers', toField: 'id', cardinality: 'one' },
            { name: 'weekday', field: 'weekday', to: '', isNone: true },
          ],
        },
      },
      { key: 'buyers', file: 'customers.csv', declared: { key: ['country', 'number'] } },
      { key: 'customers', declared: {} },
    ],
  });
});

test('what is wrong is told with its line, and the rest counts', async () => {
  const text = `descripton: x
categories:
  ordrs:
    feilds:
      a: text
    hidden: 1
  orders:
    key: id
    fields:
      pin: { secret: true, typ: text }
    relations:
      who:
        to: customers
`;
  expect(await read(text)).toEqual({
    categories: [
      { key: 'ordrs', declared: {} },
      {
        key: 'orders',
        declared: { key: ['id'], fields: [{ name: 'pin', isSecret: true }], relations: [] },
      },
    ],
    problems: [
      '1 error: Key "descripton": it is not known here; "description" may be meant.',
      '3 error: Key "ordrs": there are no records with this name; "orders" may be meant.',
      '4 error: Key "feilds": it is not known here; "fields" may be meant.',
      '6 error: categories.ordrs.hidden: expected true or false, received a number.',
      '10 error: Key "typ": it is not known here; "type" may be meant.',
      '13 error: categories.orders.relations.who: `field` is missing, and without it nothing is related.',
    ],
  });
});

test('names of built-in things are names, and change nothing', async () => {
  const text = `categories:
  __proto__:
    fields: { __proto__: { secret: true }, constructor: x }
__proto__: { description: polluted }
`;
  expect(await read(text)).toEqual({
    categories: [
      {
        key: '__proto__',
        declared: {
          fields: [
            { name: '__proto__', isSecret: true },
            { name: 'constructor', description: 'x' },
          ],
        },
      },
    ],
    problems: [
      '4 error: Key "__proto__": it is not known here; known are description, categories.',
    ],
  });
});

test.each(['', '\n\n', '# nothing yet\n  # still nothing\n', '\ufeff# x'])(
  'a file without content says nothing: %j',
  async (text) => {
    expect(await read(text)).toEqual({ categories: [], problems: [] });
  },
);

test.each([
  ['a list', '- a\n', ['1 error: expected names and values, received a list.']],
  ['a text', 'hello', ['1 error: expected names and values, received a string.']],
  [
    'an entry twice',
    'description: a\ndescription: b\n',
    [expect.stringMatching(/^2 error: .*once/)],
  ],
  ['no YAML', 'categories:\n  orders: [\n', [expect.stringMatching(/^[23] error: /)]],
  [
    'entries that are texts',
    'categories:\n  orders: x\n',
    ['2 error: categories.orders: expected names and values, received a string.'],
  ],
])('%s is told', async (_, text, expected) => {
  const { problems } = await read(text);
  expect(problems).toEqual(expected);
});

test.each([
  ['deep', '{a: '.repeat(50_000)],
  ['of aliases', `a: &a [x]\n${'b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n'.repeat(50)}`],
  ['long', `description: ${'x'.repeat(300_000)}`],
  ['of unknown keys', Array.from({ length: 5000 }, (_, key) => `k${key}: 1`).join('\n')],
  ['of entries', Array.from({ length: 20_000 }, (_, key) => `? ${key}`).join('\n')],
  ['of empty lines', `${'\n'.repeat(130_000)}x`],
])('a hostile file, %s, is told in a few lines', async (_, text) => {
  const { categories, problems } = await read(text);
  expect(categories).toEqual([]);
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.length).toBeLessThan(12);
});

test('of many problems the first are told, and how many there are', async () => {
  const entries = Array.from({ length: 30 }, (_, key) => `  k${key}: 1`);
  const { problems } = await read(`categories:\n${entries.join('\n')}\n`, []);
  expect(problems).toHaveLength(9);
  expect(problems.at(-1)).toMatch(/^9 error: There are \d+ more problems\.$/);
});
