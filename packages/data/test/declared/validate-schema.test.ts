import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createValidator } from '../declared-under-test.ts';

function check(schema: unknown, value: unknown): string[] {
  return createValidator(schema)
    .check(value)
    .map(({ path, message }) => `${path}: ${message}`);
}

const fits = (schema: unknown, value: unknown) => check(schema, value).length === 0;

test.each<[string, unknown, readonly unknown[], readonly unknown[]]>([
  ['type', { type: 'string' }, ['', 'a'], [1, null, [], {}, true]],
  ['types', { type: ['integer', 'null'] }, [1, 1.0, -5, null], [1.5, '1', []]],
  ['number', { type: 'number' }, [0, 1.5], ['1', null]],
  ['array', { type: 'array' }, [[]], [{}, 'a']],
  ['object', { type: 'object' }, [{}], [[], null]],
  ['boolean', { type: 'boolean' }, [true, false], [0, 'true']],
  ['a type nobody knows', { type: 'money' }, [1, null], []],
  [
    'enum',
    { enum: ['a', 1, null, { b: [1], c: 2 }] },
    ['a', 1, null, { c: 2, b: [1] }],
    ['b', '1'],
  ],
  ['const', { const: [1, 2] }, [[1, 2]], [[2, 1], 1, '[1,2]']],
  ['minimum', { minimum: 2 }, [2, 3, 'a'], [1, 1.9]],
  ['maximum', { maximum: 2 }, [2, 1], [3]],
  ['exclusive', { exclusiveMinimum: 2, exclusiveMaximum: 4 }, [3], [2, 4]],
  ['the old exclusive', { minimum: 2, exclusiveMinimum: true }, [3], [2, 1]],
  ['minLength', { minLength: 2 }, ['ab', '😀😀', 1], ['a', '😀']],
  ['maxLength', { maxLength: 1 }, ['', '😀'], ['ab']],
  ['items', { items: { type: 'string' } }, [[], ['a'], 'x'], [['a', 1]]],
  ['a tuple', { items: [{ type: 'string' }, { type: 'number' }] }, [['a', 1, true], ['a']], [[1]]],
  [
    'prefixItems',
    { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    [['a', 1], []],
    [['a', 'b'], [1]],
  ],
  ['minItems', { minItems: 1, maxItems: 2 }, [[1], [1, 2], 'x'], [[], [1, 2, 3]]],
  [
    'uniqueItems',
    { uniqueItems: true },
    [[1, '1', { a: 1 }]],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  ['required', { required: ['a'] }, [{ a: null }, 1], [{}, { b: 1 }]],
  ['required, of what every object has', { required: ['constructor'] }, [{ constructor: 1 }], [{}]],
  ['properties', { properties: { a: { type: 'string' } } }, [{ a: 'x', b: 1 }, {}], [{ a: 1 }]],
  [
    'additionalProperties',
    {
      properties: { a: {} },
      patternProperties: { '^x-': { type: 'number' } },
      additionalProperties: false,
    },
    [{ a: 1, 'x-b': 2 }, {}],
    [{ b: 1 }, { 'x-b': 'c' }, JSON.parse('{"__proto__": 1}')],
  ],
  [
    'additional ones of a type',
    { additionalProperties: { type: 'number' } },
    [{ a: 1 }],
    [{ a: 'b' }],
  ],
  ['pattern', { pattern: '^[a-z]+(-[a-z]+)*$' }, ['ab-c', 1], ['ab-', '']],
  ['date', { format: 'date' }, ['2024-02-29', 1], ['2023-02-29', '2024-2-9', '31.12.2024', '']],
  [
    'date-time',
    { format: 'date-time' },
    ['2024-05-01T12:30:00Z', '2024-05-01T12:30:00.123+02:00', '2024-05-01T12:30:00'],
    ['2024-05-01', '2024-05-01T25:00:00Z', '2024-13-01T12:30:00Z'],
  ],
  [
    'email',
    { format: 'email' },
    ['a@example.com', 'a.b+c@münchen.example'],
    ['a', '@b', 'a b@c', 'a@b@c', 'a@'],
  ],
  [
    'uri',
    { format: 'uri' },
    ['https://example.com/a?b#c', 'mailto:a@example.com'],
    ['/a', 'a b:c', 'http://'],
  ],
  ['another format', { format: 'colour' }, ['anything'], []],
  ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['a', 3], [2]],
  ['oneOf', { oneOf: [{ minimum: 1 }, { maximum: 3 }] }, [0, 4], [2]],
  ['allOf', { allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]],
  ['not', { not: { type: 'string' } }, [1], ['a']],
  ['true and false', { properties: { a: true, b: false } }, [{ a: 1 }], [{ b: 1 }]],
  ['unknown keywords', { colour: 'red', if: false, 'x-note': { $ref: 'x' } }, [1], []],
  [
    'rules without sense',
    { minimum: 'a', enum: 1, required: 'x', properties: 1, pattern: 1 },
    [1, {}],
    [],
  ],
])('%s', (_, schema, good, bad) => {
  for (const value of good) expect(check(schema, value)).toEqual([]);
  for (const value of bad) expect(fits(schema, value), JSON.stringify(value)).toBe(false);
});

test('references within the schema are followed, and no others', () => {
  const schema = {
    $ref: '#/$defs/tree',
    $defs: {
      tree: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { $ref: '#/$defs/a~1b%20c' },
          children: { items: { $ref: '#/$defs/tree' } },
        },
      },
      'a/b c': { type: 'string' },
    },
  };
  expect(check(schema, { name: 'a', children: [{ name: 'b', children: [] }] })).toEqual([]);
  expect(check(schema, { name: 'a', children: [{ name: 1 }, {}] })).toEqual([
    'children[0].name: expected string, received a number',
    'children[1].name: it is missing',
  ]);
  expect(check({ $ref: 'http://127.0.0.1:9/schema.json' }, 1)).toEqual([]);
  expect(check({ $ref: '#/constructor' }, 1)).toEqual([]);
});

test('what is wrong is said with what was expected', () => {
  const schema = {
    properties: {
      state: { enum: ['open', 'closed'] },
      tags: { items: { pattern: '^a' }, uniqueItems: true },
      size: { minimum: 1 },
      any: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      one: { oneOf: [{}, {}] },
      not: { not: {} },
    },
    additionalProperties: false,
  };
  const value = { state: 'opened', tags: ['b', 'b'], size: 0, any: 1, one: 1, not: 1, more: 1 };
  expect(check(schema, value)).toEqual([
    'state: expected one of "open", "closed"; it is "opened"',
    'tags[0]: expected the pattern "^a"; it is "b"',
    'tags[1]: expected the pattern "^a"; it is "b"',
    'tags: expected each item once; "b" is there again',
    'size: expected at least 1; it is 0',
    'any: it fits none of 2 schemas',
    'one: it fits 2 of 2 schemas, and should fit one',
    'not: it fits what the schema excludes',
    'more: the schema knows no such field',
  ]);
});

test('a row has null where a record has nothing', () => {
  const { checkRow } = createValidator({
    required: ['id', 'end', 'note', 'kind'],
    additionalProperties: false,
    properties: {
      id: { type: 'string' },
      end: { type: ['string', 'null'] },
      kind: { enum: ['a', null] },
      note: {},
      age: { type: 'integer' },
    },
  });
  expect(checkRow({ id: 'a', end: null, kind: null, note: 'x', age: null, other: null })).toEqual(
    [],
  );
  expect(checkRow({ id: null, end: null, kind: null, note: null })).toEqual([
    { path: 'id', message: 'it is missing' },
    { path: 'note', message: 'it is missing' },
  ]);
});

/** The same rules in the plainest words, for a few keywords. */
function naive(schema: Readonly<Record<string, unknown>>, value: unknown): boolean {
  const list = (key: string) => schema[key] as Readonly<Record<string, unknown>>[] | undefined;
  const types: Record<string, boolean> = {
    string: typeof value === 'string',
    integer: Number.isInteger(value),
    array: Array.isArray(value),
    null: value === null,
  };
  const items = schema['items'] as Readonly<Record<string, unknown>> | undefined;
  const rules = [
    schema['type'] === undefined || types[String(schema['type'])] === true,
    typeof value !== 'number' || value >= Number(schema['minimum'] ?? Number.NEGATIVE_INFINITY),
    typeof value !== 'string' || value.length <= Number(schema['maxLength'] ?? 99),
    !Array.isArray(value) || !items || value.every((item) => naive(items, item)),
    list('allOf')?.every((one) => naive(one, value)) ?? true,
    list('anyOf')?.some((one) => naive(one, value)) ?? true,
    list('oneOf') === undefined || list('oneOf')?.filter((one) => naive(one, value)).length === 1,
    schema['not'] === undefined ||
      !naive(schema['not'] as Readonly<Record<string, unknown>>, value),
  ];
  return rules.every(Boolean);
}

const PLAIN = {
  type: fc.constantFrom('string', 'integer', 'array', 'null'),
  minimum: fc.integer({ min: -2, max: 2 }),
  maxLength: fc.nat(2),
};

function schemasOf(inner: fc.Arbitrary<object>) {
  const several = fc.array(inner, { minLength: 1, maxLength: 3 });
  const nesting = { items: inner, allOf: several, anyOf: several, oneOf: several, not: inner };
  return fc.record({ ...PLAIN, ...nesting }, { requiredKeys: [] });
}

test('values fit the schemas that a plain reading of them says they fit', () => {
  const schema = schemasOf(schemasOf(fc.record(PLAIN, { requiredKeys: [] })));
  const scalar = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom('', 'a', 'abc', null, 1.5),
  );
  const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
  let wrong = 0;
  fc.assert(
    fc.property(schema, value, (rules, given) => {
      const expected = naive(rules, given);
      if (!expected) wrong += 1;
      expect(fits(rules, given)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
  expect(wrong).toBeGreaterThan(100);
});

function nested(levels: number, wrap: (inner: unknown) => unknown, inner: unknown): unknown {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

const NOT_ALL = ': not all of it was checked: the schema or the value leads too deep or too far';

test('what leads too deep or too far is not checked to its end, and that is told', () => {
  const deep = nested(100_000, (items) => ({ items }), { type: 'string' });
  const value = nested(100_000, (inner) => [inner], 1);
  expect(check(deep, value)).toEqual([NOT_ALL]);
  expect(check({ $ref: '#' }, 1)).toEqual([NOT_ALL]);
  expect(check({ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 1)).toEqual([NOT_ALL]);
  expect(check({ not: { $ref: '#' } }, 1)).toContain(NOT_ALL);
  const wide = Array.from({ length: 40 }, () => ({ $ref: '#/$defs/a' }));
  expect(check({ oneOf: wide, $defs: { a: { oneOf: wide } } }, 1)).toContain(NOT_ALL);
  expect(check({ items: {} }, Array.from({ length: 200_000 }).fill(1))).toEqual([NOT_ALL]);
});

test('deep values are compared as far as they are looked at', () => {
  const value = nested(100_000, (inner) => [inner], 1);
  expect(check({ uniqueItems: true }, [value, 1])).toEqual([]);
  expect(fits({ const: 1 }, value)).toBe(false);
});

test('of many problems twenty are told', () => {
  const many = Array.from({ length: 150_000 }, (_, index) => `k${index}`);
  expect(check({ required: many }, {})).toHaveLength(20);
  expect(check({ items: false }, many)).toHaveLength(20);
  expect(check({ allOf: many.map(() => false) }, 1)).toHaveLength(20);
  expect(
    check({ additionalProperties: false }, Object.fromEntries(many.map((key) => [key, 1]))),
  ).toHaveLength(20);
});

test('a text that is too long for patterns is told', () => {
  const told = [': texts of more than 4096 characters are not tested by patterns'];
  expect(check({ pattern: 'a' }, 'b'.repeat(5000))).toEqual(told);
  expect(check({ pattern: '(?=a)' }, 'b')).toEqual([]);
});
