import { expect, test } from 'vitest';
import { type Engine, infer, type TableFacts } from '../inference-under-test.ts';
import { createTestEngine } from '../test-engine.ts';
import { makeTable, seeded, times } from './make-tables.ts';

const { between } = seeded(31);
const customers = times(20, (n) => ({ customer_no: `C-${n}`, name: `N ${n}`, group: 'x' }));
const orders = times(50, (n) => ({
  order_no: n,
  buyer: `C-${between(1, 20)}`,
  payer: n % 5 ? `C-${between(1, 20)}` : `X-${n}`,
  total: n * 1.5,
}));

async function factsOf(
  engine: Engine,
  declared: TableFacts['declared'],
  ofCustomers: TableFacts['declared'] = {},
): Promise<TableFacts[]> {
  const customer = await makeTable(engine, 'customers', customers, ofCustomers);
  return [
    { ...customer, aliases: ['clients'] },
    await makeTable(engine, 'orders', orders, declared),
  ];
}

test('what is declared wins over what would be inferred', async () => {
  await using place = createTestEngine();
  const facts = await factsOf(place.engine, {
    description: 'What people bought.',
    key: ['order_no'],
    labels: ['ORDER_NO'],
    relations: [
      { name: 'who', field: 'Buyer', to: 'Client', description: 'Who pays.' },
      {
        name: 'payer',
        field: 'payer',
        to: 'customers',
        toField: 'customer_no',
        cardinality: 'many',
      },
    ],
  });
  const { relations, tables, misfits } = await infer(facts, place.engine);
  expect(relations).toEqual([
    {
      name: 'who',
      description: 'Who pays.',
      from: 'orders',
      field: 'buyer',
      to: 'customers',
      toField: 'customer_no',
      cardinality: 'one',
      found: 50,
      dangling: 0,
    },
    {
      name: 'payer',
      from: 'orders',
      field: 'payer',
      to: 'customers',
      toField: 'customer_no',
      cardinality: 'many',
      found: 40,
      dangling: 10,
    },
  ]);
  expect(tables.get('orders')).toEqual({
    description: 'What people bought.',
    key: ['order_no'],
    labels: ['order_no'],
    inferred: [],
  });
  expect(misfits).toEqual([]);
});

test.each([
  ['the name of its field', { name: 'buyer', field: 'buyer', to: '' }],
  ['the name of the relation', { name: 'Buyer', field: '', to: '' }],
  ['a field and a target', { name: 'x', field: 'buyer', to: 'customers' }],
])('a relation that is not true is denied by %s', async (_, relation) => {
  await using place = createTestEngine();
  const facts = await factsOf(place.engine, { relations: [{ ...relation, isNone: true }] });
  expect((await infer(facts, place.engine)).relations).toEqual([]);
});

test('a denied target does not deny another', async () => {
  await using place = createTestEngine();
  const relation = { name: 'x', field: 'buyer', to: 'orders', isNone: true } as const;
  const facts = await factsOf(place.engine, { relations: [relation] });
  expect((await infer(facts, place.engine)).relations).toMatchObject([{ name: 'buyer' }]);
});

test('what does not fit is told with the near name, and the rest is still inferred', async () => {
  await using place = createTestEngine();
  const facts = await factsOf(
    place.engine,
    {
      key: ['orderno', 'order_nr'],
      relations: [
        { name: 'a', field: 'byer', to: 'customers' },
        { name: 'b', field: 'payer', to: 'custommers' },
        { name: 'c', field: 'payer', to: 'customers', toField: 'custmer_no' },
        { name: 'd', field: 'total', to: 'customers' },
        { name: 'e', field: 'payer', to: 'customers' },
      ],
    },
    { key: [], labels: ['nmae'] },
  );
  const { relations, misfits, tables } = await infer(facts, place.engine);
  expect(misfits).toEqual([
    {
      category: 'customers',
      of: 'labels',
      message: 'A label of customers is "nmae", which is not there. Did you mean "name"?',
    },
    {
      category: 'orders',
      of: 'key',
      message: 'The key of orders has "order_nr", which is not there. Did you mean "order_no"?',
    },
    {
      category: 'orders',
      of: 'a',
      message:
        'The relation "a" of orders uses the field "byer", which is not there. Did you mean "buyer"?',
    },
    {
      category: 'orders',
      of: 'b',
      message:
        'The relation "b" of orders leads to "custommers", which is no category. Did you mean "customers"?',
    },
    {
      category: 'orders',
      of: 'c',
      message:
        'The relation "c" of orders leads to the field "custmer_no" of customers, which is not there. Did you mean "customer_no"?',
    },
    {
      category: 'orders',
      of: 'd',
      message:
        'The relation "d" of orders leads to customers, which has no key of one field. Name the field with "toField".',
    },
    {
      category: 'orders',
      of: 'e',
      message:
        'The relation "e" of orders leads to customers, which has no key of one field. Name the field with "toField".',
    },
  ]);
  expect(tables.get('orders')?.key).toEqual(['order_no']);
  expect(relations.map(({ field }) => field)).toEqual(['buyer']);
});

test('fields of different kinds cannot be followed, those of the same kind can', async () => {
  await using place = createTestEngine();
  const days = times(10, (n) => ({
    day: `2025-01-${10 + n}`,
    price: n * 1.5,
    no: n,
    text: String(n),
  }));
  const visits = times(20, (n) => ({
    id: n,
    on: `2025-01-${10 + (n % 15)}`,
    cost: 3,
    ids: [n, 99],
  }));
  const facts = [
    await makeTable(place.engine, 'days', days),
    await makeTable(place.engine, 'visits', visits, {
      relations: [
        { name: 'day', field: 'on', to: 'days', toField: 'day' },
        { name: 'cost', field: 'cost', to: 'days', toField: 'price' },
        { name: 'wrong', field: 'id', to: 'days', toField: 'text' },
        { name: 'list', field: 'ids', to: 'days', toField: 'no' },
      ],
    }),
  ];
  const { relations, misfits } = await infer(facts, place.engine);
  expect(relations).toMatchObject([
    { name: 'day', found: 15, dangling: 5, cardinality: 'one' },
    { name: 'cost', found: 20, dangling: 0 },
    { name: 'list', found: 10, dangling: 30, cardinality: 'many' },
  ]);
  expect(misfits).toEqual([
    {
      category: 'visits',
      of: 'wrong',
      message:
        'The relation "wrong" of visits cannot be followed: "id" is number and "text" of days is text. Declare the same type for both.',
    },
  ]);
});
