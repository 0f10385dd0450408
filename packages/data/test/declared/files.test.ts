import { expect, test } from 'vitest';
import {
  type DeclaredCategory,
  mergeDeclared,
  readExamplesFile,
  readQueryFile,
  readSchemaFile,
} from '../declared-under-test.ts';
import { told } from './told.ts';

function queries(text: string, file = 'queries/by-team.json') {
  const { declared, problems } = readQueryFile(text, file);
  return { declared, problems: told(problems) };
}

test('queries as JSON: with SQL, with filters, and with neither', () => {
  const text = JSON.stringify([
    { title: 'A', description: 'Of A', sql: ' select 1 ;; ' },
    { name: 'B', filters: { team: { $in: ['x'] } } },
    { name: 'C', description: 'Old', samplePayload: { a: 1 } },
    {},
  ]);
  expect(queries(text)).toEqual({
    problems: [],
    declared: [
      { title: 'A', description: 'Of A', sql: 'select 1' },
      { title: 'B', filters: { team: { $in: ['x'] } } },
      { title: 'C', description: 'Old' },
      { title: 'by team' },
    ],
  });
});

test('queries that are none are told', () => {
  expect(queries('{"title":"A",\n"sql":";",\n"filters":[]}')).toEqual({
    declared: [{ title: 'A' }],
    problems: [
      '2 error: sql: a statement of 1 to 10000 characters is missing.',
      '3 error: filters: expected names and values, received a list.',
    ],
  });
  expect(queries('-- only\n-- words\n', 'a.sql').problems).toHaveLength(1);
  expect(queries(`-- x\nselect '${'x'.repeat(10_000)}'`, 'a.sql')).toEqual({
    declared: [],
    problems: ['2 error: a statement of 1 to 10000 characters is missing.'],
  });
});

test.each([
  [
    '-- Who leads\n--  Of each team,\n-- by name.\n\nselect 1; -- done\n',
    'Who leads',
    'Of each team, by name.',
  ],
  ['\ufeff-- title: Who leads\r\n-- description: Teams\r\nselect 1; -- done', 'Who leads', 'Teams'],
  ['select 1; -- done', 'by team', undefined],
])('a query as SQL: %j', (text, title, description) => {
  const { declared, problems } = queries(text, 'queries/by-team.sql');
  expect(problems).toEqual([]);
  expect(declared).toEqual([
    { title, ...(description !== undefined && { description }), sql: 'select 1; -- done' },
  ]);
});

test('examples: one, several, and within an older file; five are kept', () => {
  const read = (value: unknown) => readExamplesFile(JSON.stringify(value), 'a.json').declared;
  expect(read({ id: 1 })).toEqual([{ id: 1 }]);
  expect(read(Array.from({ length: 300 }, (_, id) => ({ id })))).toEqual(
    [0, 1, 2, 3, 4].map((id) => ({ id })),
  );
  expect(read({ description: 'x', sample: { id: 1, tags: ['a'] } })).toEqual([
    { id: 1, tags: ['a'] },
  ]);
  expect(read({ id: 1, sample: { b: 2 } })).toEqual([{ id: 1, sample: { b: 2 } }]);
  const { declared, problems } = readExamplesFile('[1,\n{"id":2}]', 'a.json');
  expect(declared).toEqual([{ id: 2 }]);
  expect(told(problems)).toEqual(['1 error: 0: expected names and values, received a number.']);
});

const SCHEMA = {
  type: 'object',
  description: 'One of us',
  required: ['id', 'teamId', 'other'],
  allOf: [{ $ref: '#/$defs/named' }],
  properties: {
    id: { type: 'string', description: 'Its\n number' },
    teamId: { $ref: '#/$defs/id' },
    born: { type: ['string', 'null'], format: 'date' },
    seen: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    level: { enum: ['a', 'b'] },
    pay: { type: 'number', title: 'Salary' },
    isLead: { type: 'boolean' },
    skills: { type: 'array', items: { type: 'string' } },
    jobs: { type: 'array', items: { type: 'object' } },
    address: { type: 'object' },
    odd: { type: ['string', 'number'] },
    any: true,
  },
  $defs: { id: { type: 'integer' }, named: { properties: { name: { type: 'string' } } } },
};

const FIELDS = [
  { name: 'id', type: 'text', description: 'Its number', isRequired: true },
  { name: 'teamId', type: 'integer', isRequired: true },
  { name: 'born', type: 'date' },
  { name: 'seen', type: 'timestamp' },
  { name: 'level', type: 'text' },
  { name: 'pay', type: 'number', description: 'Salary' },
  { name: 'isLead', type: 'boolean' },
  { name: 'skills', type: 'list' },
  { name: 'jobs', type: 'json' },
  { name: 'address', type: 'json' },
  { name: 'odd' },
  { name: 'any' },
  { name: 'name', type: 'text' },
  { name: 'other', isRequired: true },
];

test.each([
  ['bare', SCHEMA, 'One of us'],
  ['with a name', { name: 'person', description: 'Another', schema: SCHEMA }, 'Another'],
])('what a schema says of fields, %s', (_, value, description) => {
  const { declared, problems } = readSchemaFile(JSON.stringify(value), 'schema.json');
  expect(problems).toEqual([]);
  expect(declared).toEqual({ category: { description, fields: FIELDS }, schema: SCHEMA });
});

test('what of a schema cannot be used is told, and nothing is fetched', () => {
  const text = `{
    "properties": {
      "a": { "$ref": "https://example.com/a.json" },
      "b": { "$ref": "#/nowhere" },
      "c": { "items": [{ "not": { "$ref": "other.json#/a" } }] },
      "d": { "pattern": "(a" },
      "e": { "pattern": "(?=a)b" },
      "f": { "patternProperties": { "(a)\\\\1": {} } },
      "g": { "enum": [{ "$ref": "data" }] },
      "h": { "pattern": "^[a-z]+(-[a-z]+)*$", "$ref": "#/properties/g" }
    }
  }`;
  const { problems } = readSchemaFile(text, 'schema.json');
  expect(told(problems)).toEqual([
    '3 error: properties.a.$ref: "https://example.com/a.json" leads out of the file, and other files are not fetched.',
    '4 error: properties.b.$ref: "#/nowhere" leads nowhere.',
    '5 error: properties.c.items.0.not.$ref: "other.json#/a" leads out of the file, and other files are not fetched.',
    '6 error: properties.d.pattern: the pattern "(a" is not used: it is no regular expression.',
    '7 error: properties.e.pattern: the pattern "(?=a)b" is not used: it looks ahead or behind, which is not supported.',
    '8 error: properties.f.patternProperties.(a)\\1: the pattern "(a)\\\\1" is not used: it refers to its own groups, which is not supported.',
  ]);
});

test('a schema of a list, or none, declares nothing', () => {
  for (const text of ['{"type":"array","items":{"type":"object"}}', '[]', '{']) {
    const { declared, problems } = readSchemaFile(text, 'schema.json');
    expect(declared).toEqual({ category: {} });
    expect(problems).toHaveLength(1);
  }
});

test('types of schemas that lead in circles, or everywhere, are found in time', () => {
  const twice = Array.from({ length: 30 }, () => ({ $ref: '#/$defs/loop' }));
  const loop = { anyOf: twice };
  const schema = { properties: { a: { $ref: '#/$defs/loop' } }, $defs: { loop }, $ref: '#' };
  const { declared } = readSchemaFile(JSON.stringify(schema), 'schema.json');
  expect(declared.category.fields).toEqual([{ name: 'a' }]);
});

test('what is said earlier counts, and more is added', () => {
  const first: DeclaredCategory = {
    name: 'First',
    aliases: ['a', 'b'],
    key: ['x'],
    fields: [{ name: 'x', description: 'First', isSecret: true, aliases: ['one'] }],
    relations: [{ name: 'r', field: 'r', to: '', isNone: true }],
    examples: [1, 2, 3],
  };
  const second: DeclaredCategory = {
    name: 'Second',
    description: 'Of it',
    aliases: ['b', 'c'],
    key: ['y', 'z'],
    fields: [
      { name: 'x', description: 'Second', type: 'text', isRequired: true, aliases: ['two'] },
      { name: '__proto__', type: 'date' },
    ],
    relations: [
      { name: 'r', field: 'x', to: 'others' },
      { name: 's', field: 'x', to: 'others' },
    ],
    queries: [{ title: 'q' }],
    examples: [4, 5, 6],
  };
  expect(mergeDeclared([first, {}, second])).toEqual({
    name: 'First',
    description: 'Of it',
    aliases: ['a', 'b', 'c'],
    key: ['x'],
    fields: [
      {
        name: 'x',
        description: 'First',
        type: 'text',
        isRequired: true,
        isSecret: true,
        aliases: ['one', 'two'],
      },
      { name: '__proto__', type: 'date' },
    ],
    relations: [
      { name: 'r', field: 'r', to: '', isNone: true },
      { name: 's', field: 'x', to: 'others' },
    ],
    queries: [{ title: 'q' }],
    examples: [1, 2, 3, 4, 5],
  });
  expect(mergeDeclared([])).toEqual({});
});
