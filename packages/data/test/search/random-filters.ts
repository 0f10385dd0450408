import fc from 'fast-check';

const CHARACTERS = [
  'a',
  'a',
  'b',
  'n',
  'A',
  'é',
  'É',
  'e\u0301',
  'ß',
  'Z',
  '1',
  ' ',
  '𝒳',
  'ﬁ',
  '%',
  "'",
];

export const text = fc
  .array(fc.constantFrom(...CHARACTERS), { maxLength: 3 })
  .map((all) => all.join(''));
export const word = fc
  .array(fc.constantFrom(...CHARACTERS.filter((one) => one !== ' ')), {
    minLength: 1,
    maxLength: 2,
  })
  .map((all) => all.join(''));
export const integer = fc.integer({ min: -2, max: 4 });
export const cents = fc.integer({ min: -150, max: 300 }).map((value) => value / 100);
export const quarters = fc.integer({ min: -8, max: 12 }).map((value) => value / 4);
export const day = fc.constantFrom(
  ...['2023-12-31', '2024-01-01', '2024-02-29', '2024-05-01', '2024-05-31', '2024-06-01'],
);
const time = fc.constantFrom('00:00:00', '12:30:00', '12:30:00.25', '23:59:59.999999');
export const moment = fc.tuple(day, time).map(([date, of]) => `${date}T${of}`);
export const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  leaf: fc.oneof(word, fc.integer({ min: 0, max: 3 }), fc.boolean(), fc.constant(null)),
  list: fc.array(tie('thing'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c d'), tie('thing'), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
  thing: fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('list'), tie('object')),
})).thing;

export const personKey = fc.constantFrom('p0', 'p1', 'p2', 'p3', 'p9');
export const departmentKey = fc.constantFrom('d0', 'd1', 'd8');
export const teamKey = fc.constantFrom('1', '2', '7', 'x');

type Kind = 'text' | 'integer' | 'cents' | 'quarters' | 'boolean' | 'time' | 'json';

const operands: { readonly [kind in Kind]: fc.Arbitrary<unknown> } = {
  text: fc.oneof(text, text, integer),
  integer: fc.oneof(integer, integer.map(String), quarters),
  cents: fc.oneof(cents, cents.map(String), quarters),
  quarters: fc.oneof(quarters, cents),
  boolean: fc.constantFrom(true, false, 'true', 'false'),
  time: fc.oneof(
    day,
    moment,
    fc.constantFrom('2024', 2024, '2023', '2024-05', '2024-02', '2024-05-01T12:30'),
  ),
  json: fc.oneof(word, fc.integer({ min: 0, max: 3 }), fc.boolean()),
};
const pattern = fc.constantFrom(
  'a',
  '^a',
  'A$',
  '(?i)a',
  '(?i)É',
  '[aé1]',
  'b|Z',
  '^$',
  '1',
  '^2024-05',
);

/** What a name can be asked for: one value, several, or operators. */
function asked(operand: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const known = fc.oneof(
    { weight: 6, arbitrary: operand },
    { weight: 1, arbitrary: fc.constant(null) },
  );
  const list = fc.array(known, { maxLength: 3 });
  const one = (name: string, of: fc.Arbitrary<unknown>) => of.map((value) => ({ [name]: value }));
  const operator = fc.oneof(
    ...['$eq', '$ne'].map((name) => one(name, known)),
    ...['$gt', '$gte', '$lt', '$lte'].map((name) => one(name, operand)),
    ...['$in', '$nin'].map((name) => one(name, list)),
    one('$contains', word),
    one('$regex', pattern),
    one('$exists', fc.boolean()),
  );
  const several = fc.tuple(operator, operator).map(([a, b]) => ({ ...a, ...b }));
  return fc.oneof(known, list, operator, operator, several, one('$not', operator));
}

const field = (kind: Kind) => asked(operands[kind]);
const related = (keys: fc.Arbitrary<string>) => asked(fc.oneof(keys, text, integer, fc.boolean()));

interface Names {
  /** Names of values, with what they are asked for. */
  readonly values: { readonly [name: string]: fc.Arbitrary<unknown> };
  /** Names of relations, with the table they lead to. */
  readonly relations: { readonly [name: string]: Table };
}

type Table = 'people' | 'departments' | 'teams';

const NAMES: { readonly [table in Table]: Names } = {
  people: {
    values: {
      id: asked(personKey),
      name: field('text'),
      age: field('integer'),
      pay: field('cents'),
      score: field('quarters'),
      active: field('boolean'),
      hired: field('time'),
      seen: field('time'),
      tags: field('text'),
      nums: field('integer'),
      info: field('json'),
      'info.a': field('json'),
      'info.b.a': field('json'),
      'info.c d': field('json'),
      departmentId: asked(departmentKey),
      department: related(departmentKey),
      boss: related(personKey),
      team: related(teamKey),
      friends: related(personKey),
      'departments via head': related(departmentKey),
      'people via boss': related(personKey),
      'people via friends': related(personKey),
      'team via people_teams': related(teamKey),
      'department.name': field('text'),
      'department.head.age': field('integer'),
      'boss.boss.name': field('text'),
      'boss.info.a': field('json'),
      'friends.tags': field('text'),
      'friends.team': related(teamKey),
      'team.name': field('text'),
    },
    relations: {
      department: 'departments',
      departmentId: 'departments',
      boss: 'people',
      team: 'teams',
      friends: 'people',
      'departments via head': 'departments',
      'people via friends': 'people',
      'team via people_teams': 'teams',
      'boss.department': 'departments',
    },
  },
  departments: {
    values: {
      id: asked(departmentKey),
      name: field('text'),
      city: field('text'),
      head: related(personKey),
      people: related(personKey),
      'people.pay': field('cents'),
    },
    relations: { head: 'people', people: 'people' },
  },
  teams: {
    values: {
      id: field('integer'),
      name: field('text'),
      'people via team': related(personKey),
      'person via people_teams': related(personKey),
    },
    relations: { 'people via team': 'people', 'person via people_teams': 'people' },
  },
};

function single(key: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return value.map((of) => ({ [key]: of }));
}

/** Filters on records of a table. */
export function filterOf(table: Table, depth = 3): fc.Arbitrary<object> {
  const { values, relations } = NAMES[table];
  const leaves = Object.entries(values).map(([name, value]) => single(name, value));
  const leaf = fc.oneof(...leaves);
  if (depth === 0) return leaf;
  const inner = filterOf(table, depth - 1);
  const nested = Object.entries(relations).map(([name, to]) => {
    const on = filterOf(to, depth - 1);
    return single(
      name,
      fc.oneof({ weight: 4, arbitrary: on }, { weight: 1, arbitrary: single('$not', on) }),
    );
  });
  const within = fc.oneof(single('a', field('json')), single('b', field('json')));
  const inJson = fc.oneof(
    within,
    fc.tuple(within, within).map(([a, b]) => ({ ...a, ...b })),
    single('$not', within),
  );
  const some = fc.array(inner, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 3, arbitrary: fc.oneof(...nested) },
    { weight: 1, arbitrary: table === 'people' ? single('info', inJson) : leaf },
    { weight: 1, arbitrary: table === 'people' ? single('info.a', inJson) : leaf },
    { weight: 2, arbitrary: single('$and', some) },
    { weight: 2, arbitrary: single('$or', some) },
    { weight: 2, arbitrary: single('$not', inner) },
    { weight: 2, arbitrary: fc.tuple(leaf, inner).map(([a, b]) => ({ ...a, ...b })) },
  );
}
