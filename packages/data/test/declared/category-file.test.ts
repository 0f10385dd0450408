import { expect, test } from 'vitest';
import { readCategoryFile, readRelationshipsFile } from '../declared-under-test.ts';
import { told } from './told.ts';

function category(value: unknown) {
  const { declared, problems } = readCategoryFile(JSON.stringify(value, null, 2), 'category.json');
  return { declared, problems: told(problems) };
}

function relations(value: unknown) {
  const text = JSON.stringify(value, null, 2);
  const { declared, problems } = readRelationshipsFile(text, 'relationships.json');
  return { declared, problems: told(problems) };
}

test('all that a category can say', () => {
  const { declared, problems } = category({
    $schema: 'x',
    id: 'orders',
    name: 'Orders',
    description: ' What was\n bought. ',
    aliases: ['purchases', 'sales', 'sales'],
    purpose: 'To ship.',
    primaryKey: ['year', 'number'],
    updateCadence: 'nightly',
    access: ['staff', 'auditors'],
    requiredFields: ['number', 'buyer'],
    routingHints: 'Anything about orders',
    labels: 'number',
    hidden: true,
    csv: { delimiter: '\\t', header: false },
    fields: {
      buyer: { type: 'string', description: 'Who', aliases: 'customer', secret: true },
      note: 'Free text',
      ' odd  name ': null,
    },
    relations: { buyer: { field: 'buyer', to: 'customers' } },
  });
  expect(problems).toEqual([]);
  expect(declared).toEqual({
    id: 'orders',
    name: 'Orders',
    description: 'What was bought.',
    aliases: ['purchases', 'sales'],
    purpose: 'To ship.',
    key: ['year', 'number'],
    cadence: 'nightly',
    access: 'staff, auditors',
    routing: ['Anything about orders'],
    labels: ['number'],
    isHidden: true,
    csv: { delimiter: '\t', header: false },
    fields: [
      ...[
        {
          name: 'buyer',
          type: 'text',
          description: 'Who',
          aliases: ['customer'],
          isSecret: true,
          isRequired: true,
        },
      ],
      { name: 'note', description: 'Free text' },
      { name: ' odd  name ' },
      { name: 'number', isRequired: true },
    ],
    relations: [{ name: 'buyer', field: 'buyer', to: 'customers' }],
  });
});

test('the older form, of whose keys each tells records apart', () => {
  const { declared, problems } = category({
    id: 'people',
    name: 'People',
    config: {
      purpose: 'Who works here.',
      primaryKeys: ['id', 'email'],
      updateCadence: 'daily',
      access: 'staff',
      requirements: {
        requiredRecordFields: ['id'],
        requiredRelationshipFields: ['departmentId'],
        notes: ['x'],
      },
      orchestration: { summary: 'Who is who', signals: ['staff', 'manager'], agents: {} },
    },
  });
  expect(problems).toEqual([]);
  expect(declared).toEqual({
    id: 'people',
    name: 'People',
    purpose: 'Who works here.',
    key: ['id'],
    cadence: 'daily',
    access: 'staff',
    routing: ['Who is who', 'staff', 'manager'],
    fields: [
      { name: 'id', isRequired: true },
      { name: 'departmentId', isRequired: true },
    ],
  });
});

test('what stands beside the older form counts more', () => {
  const { declared } = category({ purpose: 'new', config: { purpose: 'old', access: 'all' } });
  expect(declared).toEqual({ purpose: 'new', access: 'all' });
});

test('an unknown key is told with the near one, and a wrong value is left out', () => {
  const { declared, problems } = category({
    naem: 'Orders',
    description: ['x'],
    aliases: ['a', { b: 1 }],
    hidden: 'yes',
    config: { primaryKey: 'id' },
    fields: [{ name: 'a', type: 'txet' }, 'b', { type: 'text' }, 7],
    csv: { delimiter: '||', encoding: 'latin-1' },
  });
  expect(declared).toEqual({
    aliases: ['a'],
    csv: {},
    fields: [{ name: 'a' }, { name: 'b' }],
  });
  expect(problems).toEqual([
    '2 warning: Key "naem": it is not known here; "name" may be meant.',
    '3 error: description: expected a text, received a list.',
    '8 error: aliases.1: expected a text, received an object.',
    '12 error: hidden: expected true or false, received a string.',
    '14 warning: Key "primaryKey": it is not known here; "primaryKeys" may be meant.',
    '19 error: fields.0.type: expected one of text, integer, number, boolean, date, timestamp, list, json, binary; it is "txet".',
    '22 error: fields.2: the name of the field is missing.',
    '25 error: fields.3: expected names and values, received a number.',
    '28 error: csv.delimiter: expected one character, no quote or line break; it is "||".',
    '29 warning: Key "encoding": it is not known here; known are delimiter, header.',
  ]);
});

test.each([['yes'], [1], ['false'], [{}]])(
  'a field is rather secret by %j than shown',
  (secret) => {
    const { declared, problems } = category({ fields: { pin: { secret } } });
    expect(declared.fields).toEqual([{ name: 'pin', isSecret: true }]);
    expect(problems).toHaveLength(1);
  },
);

test.each([[false], [null], [undefined]])('a field is not secret by %j', (secret) => {
  expect(category({ fields: { pin: { secret } } })).toEqual({
    declared: { fields: [{ name: 'pin' }] },
    problems: [],
  });
});

test('names of built-in things are names of fields and relations, and nothing else', () => {
  const text = `{
    "fields": { "__proto__": { "type": "text" }, "constructor": { "isAdmin": true } },
    "relations": { "__proto__": { "field": "__proto__", "to": "constructor" } },
    "__proto__": { "name": "polluted" }
  }`;
  const { declared, problems } = readCategoryFile(text, 'category.json');
  expect(declared).toEqual({
    fields: [{ name: '__proto__', type: 'text' }, { name: 'constructor' }],
    relations: [{ name: '__proto__', field: '__proto__', to: 'constructor' }],
  });
  expect(told(problems)).toEqual([
    expect.stringMatching(/^2 warning: Key "isAdmin": it is not known here/),
    expect.stringMatching(/^4 warning: Key "__proto__": it is not known here/),
  ]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('relations by name, by key or as a list', () => {
  const person = { targetCategory: 'people', sourceField: 'ownerId', targetField: 'id' };
  expect(
    relations({
      owner: { ...person, cardinality: 'one', description: 'Who owns it' },
      tags: { to: 'tags', field: 'tag_ids', cardinality: 'many-to-many' },
      weekday: 'none',
    }),
  ).toEqual({
    problems: [],
    declared: [
      {
        name: 'owner',
        field: 'ownerId',
        to: 'people',
        toField: 'id',
        cardinality: 'one',
        description: 'Who owns it',
      },
      { name: 'tags', field: 'tag_ids', to: 'tags', cardinality: 'many' },
      { name: 'weekday', field: 'weekday', to: '', isNone: true },
    ],
  });
  expect(
    relations([
      { key: 'owner', name: 'Owner of it', ...person },
      { target: 'tags', field: 't' },
    ]),
  ).toEqual({
    problems: [],
    declared: [
      { name: 'owner', field: 'ownerId', to: 'people', toField: 'id' },
      { name: 'tags', field: 't', to: 'tags' },
    ],
  });
});

test('a relation without its ends is none', () => {
  const { declared, problems } = relations({
    a: { to: 'people' },
    b: { field: 'x', cardinality: 'some' },
    c: null,
    d: 'people',
    e: { field: 'x', to: 'y', cardinality: 'some', fild: 1 },
  });
  expect(declared).toEqual([{ name: 'e', field: 'x', to: 'y' }]);
  expect(problems).toEqual([
    '2 error: a: `field` is missing, and without it nothing is related.',
    '5 error: b: `to` is missing, and without it nothing is related.',
    '9 error: c: expected `none`, or a `field` and a `to`.',
    '10 error: d: expected names and values, received a string.',
    '14 error: e.cardinality: expected one of one, many; it is "some".',
    '15 warning: Key "fild": it is not known here; "field" may be meant.',
  ]);
});

test.each([
  ['an end', '{', '1 error: A key in double quotes is missing here.'],
  ['names', '[]', '1 error: expected names and values, received a list.'],
  [
    'an end to its nesting',
    `{"a":${'{"a":'.repeat(50_000)}`,
    '1 error: This is nested too deeply.',
  ],
])('a file without %s', (_, text, problem) => {
  const { declared, problems } = readCategoryFile(text, 'category.json');
  expect(declared).toEqual({});
  expect(told(problems)).toEqual([problem]);
});

// If time grew with the square of the length, none of these would end.
test.each([
  ['keys', `{${Array.from({ length: 80_000 }, (_, key) => `"k${key}":1`).join(',\n')}}`, 20],
  [
    'fields',
    `{"fields":{${Array.from({ length: 60_000 }, (_, key) => `"k${key}":[]`).join(',\n')}}}`,
    21,
  ],
  ['spaces', `{"name":"${' '.repeat(1_000_000)}"}`, 0],
  ['the same key', `{${'"a":1,\n'.repeat(100_000)}"a":1}`, 21],
])('a file full of %s is read, and few problems are told', (_, text, count) => {
  const { problems } = readCategoryFile(text, 'category.json');
  expect(problems).toHaveLength(count);
});
