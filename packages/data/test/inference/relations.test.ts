import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Inference, infer, quoteName, type TableFacts } from '../inference-under-test.ts';
import { createTestEngine } from '../test-engine.ts';
import { makeTable, type Records, seeded, times } from './make-tables.ts';

let place: ReturnType<typeof createTestEngine>;
beforeAll(() => {
  place = createTestEngine();
});
afterAll(() => place[Symbol.asyncDispose]());

async function inferFrom(
  tables: { readonly [table: string]: Records },
  declared: { readonly [table: string]: TableFacts['declared'] } = {},
): Promise<Inference> {
  const facts = [];
  for (const [table, records] of Object.entries(tables)) {
    await place.engine.run(`DROP TABLE IF EXISTS ${quoteName(table)}`);
    facts.push(await makeTable(place.engine, table, records, declared[table]));
  }
  return infer(facts, place.engine);
}

function arrows({ relations }: Inference): string[] {
  return relations.map(({ from, field, to, toField }) => `${from}.${field} → ${to}.${toField}`);
}

const departments = times(8, (n) => ({ id: n, code: `D${n}00`, name: `Department ${n}` }));
const { between, one } = seeded(21);

describe('values decide', () => {
  test('a name alone is not enough: nine of ten values must be found', async () => {
    const people = (wrong: number) =>
      times(40, (n) => ({ id: n, department_id: n <= wrong ? 100 + n : 1 + (n % 8) }));
    const { relations } = await inferFrom({ departments, people: people(0) });
    expect(relations).toMatchObject([{ found: 40, dangling: 0, isInferred: true }]);
    const rooms = times(30, (n) => ({ id: n, code: `R-${n}` }));
    const most = times(60, (n) => ({ id: n, room: `R-${n <= 30 ? n : 40 + (n % 3)}` }));
    expect((await inferFrom({ rooms, bookings: most })).relations).toMatchObject([
      { field: 'room', toField: 'code', found: 30, dangling: 30 },
    ]);
    expect(arrows(await inferFrom({ departments, people: people(2) }))).toEqual([]);
  });

  test('of few values one may be wrong, if a name says exactly where they lead', async () => {
    const teams = [{ id: 't1' }, { id: 't2' }];
    const people = (field: string, ...values: readonly string[]) =>
      values.map((value, n) => ({ id: n, [field]: value }));
    const found = await inferFrom({ teams, people: people('teamId', 't1', 't2', 't2', 't9') });
    expect(found.relations).toMatchObject([{ field: 'teamId', found: 3, dangling: 1 }]);
    for (const others of [
      people('teamId', 't1', 't2', 't8', 't9'),
      people('teamId', 't1', 't9'),
      people('kind', 't1', 't2', 't9'),
    ]) {
      expect(arrows(await inferFrom({ teams, people: others }))).toEqual([]);
    }
  });

  test('a text is no number', async () => {
    const people = times(20, (n) => ({ id: n, department_id: `00${1 + (n % 8)}` }));
    expect(arrows(await inferFrom({ departments, people }))).toEqual([]);
  });

  test('digits are numbers that count, also as texts of different lengths', async () => {
    const lots = times(120, (n) => ({ lot: String(n), place: `Place ${n}` }));
    const scans = times(90, (n) => ({
      id: n,
      seen: String(1 + (n % 30)),
      par: String(1 + (n % 9)),
    }));
    expect(arrows(await inferFrom({ lots, scans }))).toEqual([]);
    const named = scans.map(({ id, seen }) => ({ id, lot_no: seen }));
    expect(arrows(await inferFrom({ lots, scans: named }))).toEqual(['scans.lot_no → lots.lot']);
  });

  test('nothing leads to a field that is not unique', async () => {
    const twice = [...departments, { id: 9, code: 'D100', name: 'Again' }];
    const people = times(30, (n) => ({ id: n, department_code: `D${1 + (n % 8)}00` }));
    expect(arrows(await inferFrom({ departments: twice, people }))).toEqual([]);
    expect(arrows(await inferFrom({ departments, people }))).toEqual([
      'people.department_code → departments.code',
    ]);
  });

  test('codes lead without a hint, and only if all of them are found', async () => {
    const people = (last: string) =>
      times(30, (n) => ({ id: n, belongs: n === 30 ? last : `D${1 + (n % 8)}00` }));
    expect(arrows(await inferFrom({ departments, people: people('D100') }))).toEqual([
      'people.belongs → departments.code',
    ]);
    expect(arrows(await inferFrom({ departments, people: people('D999') }))).toEqual([]);
  });

  test('codes that are found in two tables lead to none of them', async () => {
    const patients = times(40, (n) => ({ code: `P-${100 + n}`, name: `Patient ${n}` }));
    const products = times(44, (n) => ({ code: `P-${100 + n}`, name: `Product ${n}` }));
    const things = times(30, (n) => ({ id: n, about: `P-${100 + n}` }));
    expect(arrows(await inferFrom({ patients, products, things }))).toEqual([]);
    const { things: named } = { things: things.map(({ id, about }) => ({ id, patient: about })) };
    expect(arrows(await inferFrom({ patients, products, things: named }))).toEqual([
      'things.patient → patients.code',
    ]);
  });

  test('large numbers of a wide range lead without a hint, years and blocks of round ones do not', async () => {
    const tags = times(40, (n) => ({ tag: 900_000 + n * 977 + (n % 5), label: `Tag ${n}` }));
    const reads = times(60, (n) => ({
      id: n,
      seen: 900_000 + ((n % 30) + 1) * 977 + (((n % 30) + 1) % 5),
    }));
    expect(arrows(await inferFrom({ tags, reads }))).toEqual(['reads.seen → tags.tag']);
    const grants = times(40, (n) => ({ grant_no: n * 1000, title: `Grant ${n}` }));
    const payments = times(60, (n) => ({ id: n, paid: between(1, 40) * 1000 }));
    expect(arrows(await inferFrom({ grants, payments }))).toEqual([]);
  });
});

describe('what is not meant', () => {
  test('how many there are of something is not one of it', async () => {
    const employees = times(50, (n) => ({ id: n, name: `E ${n}` }));
    const sites = times(20, (n) => ({ id: n, employees: 1 + n * 2, grade: between(1, 9) }));
    const grades = times(100, (n) => ({ id: n, mark: between(1, 6) }));
    expect(arrows(await inferFrom({ employees, sites, grades }))).toEqual([]);
  });

  test('a copied name beside an id is no second relation', async () => {
    const orders = times(40, (n) => {
      const department = departments[n % 8];
      return { id: n, department_id: department?.id ?? 0, department_name: department?.name ?? '' };
    });
    expect(arrows(await inferFrom({ departments, orders }))).toEqual([
      'orders.department_id → departments.id',
    ]);
    const only = orders.map(({ id, department_name }) => ({ id, department_name }));
    expect(arrows(await inferFrom({ departments, orders: only }))).toEqual([
      'orders.department_name → departments.name',
    ]);
  });

  test('of two tables with the same key, the smaller leads to the larger', async () => {
    const products = times(30, (n) => ({ sku: `S-${100 + n}`, title: `T ${n}` }));
    const stock = times(25, (n) => ({ sku: `S-${100 + n}`, on_hand: between(0, 9) }));
    expect(arrows(await inferFrom({ products, stock }))).toEqual(['stock.sku → products.sku']);
    const full = times(30, (n) => ({ sku: `S-${100 + n}`, on_hand: between(0, 9) }));
    expect(arrows(await inferFrom({ products, stock: full }))).toEqual([
      'stock.sku → products.sku',
    ]);
  });

  test('the table that is called so is meant, and not one with details of it', async () => {
    const employees = times(30, (n) => ({ employee_id: n, name: `E ${n}` }));
    const employee_details = times(30, (n) => ({ employee_id: n, shoe_size: between(36, 48) }));
    const badges = times(20, (n) => ({ id: n, employee_id: between(1, 30) }));
    expect(arrows(await inferFrom({ employee_details, employees, badges }))).toEqual([
      'employee_details.employee_id → employees.employee_id',
      'badges.employee_id → employees.employee_id',
    ]);
  });

  test('ids whose type is told by another field lead nowhere', async () => {
    const posts = times(20, (n) => ({ id: `post-${n}`, title: `Post ${n}` }));
    const photos = times(20, (n) => ({ id: `photo-${n}`, title: `Photo ${n}` }));
    const likes = times(40, (n) => ({
      id: n,
      thing_type: n % 2 ? 'post' : 'photo',
      thing_id: `${n % 2 ? 'post' : 'photo'}-${between(1, 20)}`,
    }));
    expect(arrows(await inferFrom({ posts, photos, likes }))).toEqual([]);
  });
});

describe('names of relations', () => {
  const names = ({ relations }: Inference) =>
    Object.fromEntries(relations.map(({ field, name }) => [field, name]));

  test('are fields without the word for an id, as they are written', async () => {
    const people = times(30, (n) => ({
      id: n,
      departmentId: between(1, 8),
      homeDepartmentID: between(1, 8),
      fk_department: between(1, 8),
      'Former Department Code': `D${between(1, 8)}00`,
      managerId: n > 3 ? between(1, 3) : null,
    }));
    expect(names(await inferFrom({ departments, people }))).toEqual({
      departmentId: 'department',
      homeDepartmentID: 'homeDepartment',
      fk_department: 'fk_department',
      'Former Department Code': 'former_department',
      managerId: 'manager',
    });
  });

  test('of lists are as many as the target says, and codes are called like their target', async () => {
    const applications = times(12, (n) => ({ id: `app-${n}`, name: `App ${n}` }));
    const skill = times(9, (n) => ({ id: `skill-${n}`, name: `Skill ${n}` }));
    const products = times(12, (n) => ({ sku: `S-${100 + n}`, title: `T ${n}` }));
    const people = times(30, (n) => ({
      id: `p-${n}`,
      name: `P ${n}`,
      applicationIds: [one(applications).id, 'app-1'],
      skillIds: [one(skill).id],
      favourite_apps: [one(applications).id],
      sku: one(products).sku,
    }));
    expect(names(await inferFrom({ applications, skill, products, people }))).toEqual({
      applicationIds: 'applications',
      skillIds: 'skill',
      favourite_apps: 'favourite_apps',
      sku: 'product',
    });
  });
});

test('found and dangling count values, and items of lists; empty texts are none', async () => {
  const tags = times(20, (n) => ({ id: `tag-${n}` }));
  const posts = [
    ...times(20, (n) => ({
      id: `x${n}`,
      tagIds: [`tag-${n}`, 'tag-1'],
      tag: n % 2 ? `tag-${n}` : '',
    })),
    { id: 'x21', tagIds: ['tag-77', 'tag-2'], tag: 'tag-2' },
    { id: 'x22', tagIds: [], tag: null },
    { id: 'x23', tagIds: null, tag: 'tag-2' },
  ];
  const { relations, tables } = await inferFrom({ tags, posts });
  expect(relations).toMatchObject([
    { field: 'tagIds', cardinality: 'many', found: 41, dangling: 1 },
    { field: 'tag', cardinality: 'one', found: 12, dangling: 0 },
  ]);
  expect(tables.get('posts')?.inferred).toEqual([
    'key id: unique',
    'tagIds → tags.id: 20 of 21 values found, 1 leads nowhere',
    'tag → tags.id: 11 of 11 values found',
  ]);
});

test('cancelling ends it', async () => {
  const controller = new AbortController();
  controller.abort();
  const facts = [await makeTable(place.engine, 'cancelled', departments)];
  const people = await makeTable(place.engine, 'people_of_it', [{ id: 1, cancelled_id: 1 }]);
  await expect(
    infer([...facts, people], place.engine, { signal: controller.signal }),
  ).rejects.toMatchObject({
    failure: 'cancelled',
  });
});
