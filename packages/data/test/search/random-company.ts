import fc from 'fast-check';
import { describeCatalogue, type RelationOfTest, type TableOfTest } from '../catalogues.ts';
import type { Catalogue, Cell } from '../search-under-test.ts';
import type { NaiveRecord, NaiveTable } from './naive.ts';
import * as random from './random-filters.ts';

const maybe = <T>(of: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: of }, { weight: 1, arbitrary: fc.constant(null) });
const listOf = (of: fc.Arbitrary<unknown>) => maybe(fc.array(maybe(of), { maxLength: 3 }));

const person = fc.record({
  name: maybe(random.text),
  age: maybe(random.integer),
  pay: maybe(random.cents),
  score: maybe(random.quarters),
  active: maybe(fc.boolean()),
  hired: maybe(random.day),
  seen: maybe(random.moment),
  tags: listOf(random.text),
  nums: listOf(random.integer),
  info: maybe(random.json),
  departmentId: maybe(random.departmentKey),
  bossId: maybe(random.personKey),
  team: maybe(random.teamKey),
  friendIds: listOf(random.personKey),
});
const department = fc.record({
  name: maybe(random.text),
  city: maybe(random.text),
  headId: maybe(random.personKey),
});
const team = fc.record({ name: maybe(random.text) });
const membership = fc.record({
  personId: maybe(random.personKey),
  teamId: maybe(fc.constantFrom(1, 2, 9)),
});

const COLUMNS = {
  people: {
    id: 'VARCHAR',
    name: 'VARCHAR',
    age: 'BIGINT',
    pay: 'DECIMAL(18,2)',
    score: 'DOUBLE',
    active: 'BOOLEAN',
    hired: 'DATE',
    seen: 'TIMESTAMP',
    tags: 'VARCHAR[]',
    nums: 'BIGINT[]',
    info: 'JSON',
    departmentId: 'VARCHAR',
    bossId: 'VARCHAR',
    team: 'VARCHAR',
    friendIds: 'VARCHAR[]',
  },
  departments: { id: 'VARCHAR', name: 'VARCHAR', city: 'VARCHAR', headId: 'VARCHAR' },
  teams: { id: 'BIGINT', name: 'VARCHAR' },
  people_teams: { personId: 'VARCHAR', teamId: 'BIGINT' },
} as const;

const RELATIONS: readonly RelationOfTest[] = [
  { name: 'department', from: 'people', field: 'departmentId', to: 'departments' },
  { name: 'boss', from: 'people', field: 'bossId', to: 'people' },
  { name: 'team', from: 'people', field: 'team', to: 'teams' },
  { name: 'friends', from: 'people', field: 'friendIds', to: 'people', cardinality: 'many' },
  { name: 'head', from: 'departments', field: 'headId', to: 'people' },
  { name: 'person', from: 'people_teams', field: 'personId', to: 'people' },
  { name: 'team', from: 'people_teams', field: 'teamId', to: 'teams' },
];

type Rows = readonly NaiveRecord[];

export interface RandomCompany {
  readonly people: Rows;
  readonly departments: Rows;
  readonly teams: Rows;
  readonly people_teams: Rows;
}

function numbered(of: fc.Arbitrary<object>, most: number, idOf: (index: number) => Cell) {
  const size = { maxLength: most, size: 'max' } as const;
  // Often many, but sometimes none.
  return fc
    .oneof(
      { weight: 9, arbitrary: fc.array(of, { ...size, minLength: most - 2 }) },
      { weight: 1, arbitrary: fc.array(of, size) },
    )
    .map((all) => all.map((one, index) => ({ id: idOf(index), ...one }) as NaiveRecord));
}

export const company: fc.Arbitrary<RandomCompany> = fc.record({
  people: numbered(person, 7, (index) => `p${index}`),
  departments: numbered(department, 3, (index) => `d${index}`),
  teams: numbered(team, 3, (index) => index + 1),
  people_teams: fc.array(membership, { maxLength: 5 }) as fc.Arbitrary<Rows>,
});

/** The company as tables of an engine, and what describes them. */
export function tablesOf(made: RandomCompany): readonly TableOfTest[] {
  return (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((id) => {
    const columns: { readonly [name: string]: string } = COLUMNS[id];
    const cells = made[id].map((record) =>
      Object.keys(columns).map((name) => record[name] ?? null),
    );
    return { id, columns, cells, ...(id === 'people_teams' && { isLink: true }) };
  });
}

export function catalogueOf(made: RandomCompany): Catalogue {
  return describeCatalogue(tablesOf(made), RELATIONS);
}

/** The company as the naive filter sees it. */
export function naiveTablesOf(made: RandomCompany) {
  const { people, departments, teams, people_teams } = made;
  const same = (a: Cell | undefined, b: Cell | undefined) =>
    a !== null && a !== undefined && b !== null && b !== undefined && String(a) === String(b);
  const has = (list: Cell | undefined, value: Cell | undefined) =>
    Array.isArray(list) && list.some((item) => same(item, value));
  const tables: { people: NaiveTable; departments: NaiveTable; teams: NaiveTable } = {
    people: { fields: {}, relations: {}, names: ['id', 'name'] },
    departments: { fields: {}, relations: {}, names: ['id', 'name'] },
    teams: { fields: {}, relations: {}, names: ['id', 'name'] },
  };
  const ofPeople = (find: (record: NaiveRecord, one: NaiveRecord) => boolean) => ({
    to: tables.people,
    find: (record: NaiveRecord) => people.filter((one) => find(record, one)),
  });
  const ofDepartments = (find: (record: NaiveRecord, one: NaiveRecord) => boolean) => ({
    to: tables.departments,
    find: (record: NaiveRecord) => departments.filter((one) => find(record, one)),
  });
  const ofTeams = (find: (record: NaiveRecord, one: NaiveRecord) => boolean) => ({
    to: tables.teams,
    find: (record: NaiveRecord) => teams.filter((one) => find(record, one)),
  });
  const areLinked = (a: NaiveRecord, b: NaiveRecord) =>
    people_teams.some(({ personId, teamId }) => same(personId, a['id']) && same(teamId, b['id']));
  Object.assign(tables.people, {
    fields: {
      id: 'text',
      name: 'text',
      age: 'integer',
      pay: 'number',
      score: 'number',
      active: 'boolean',
      hired: 'date',
      seen: 'timestamp',
      tags: 'texts',
      nums: 'numbers',
      info: 'json',
      departmentId: 'text',
      bossId: 'text',
      team: 'text',
      friendIds: 'texts',
    },
    relations: {
      department: ofDepartments((a, b) => same(a['departmentId'], b['id'])),
      departmentId: {
        ...ofDepartments((a, b) => same(a['departmentId'], b['id'])),
        isField: true,
      },
      boss: ofPeople((a, b) => same(a['bossId'], b['id'])),
      team: ofTeams((a, b) => same(a['team'], b['id'])),
      friends: ofPeople((a, b) => has(a['friendIds'], b['id'])),
      'departments via head': ofDepartments((a, b) => same(b['headId'], a['id'])),
      'people via boss': ofPeople((a, b) => same(b['bossId'], a['id'])),
      'people via friends': ofPeople((a, b) => has(b['friendIds'], a['id'])),
      'team via people_teams': ofTeams(areLinked),
    },
  });
  Object.assign(tables.departments, {
    fields: { id: 'text', name: 'text', city: 'text', headId: 'text' },
    relations: {
      head: ofPeople((a, b) => same(a['headId'], b['id'])),
      people: ofPeople((a, b) => same(b['departmentId'], a['id'])),
    },
  });
  Object.assign(tables.teams, {
    fields: { id: 'integer', name: 'text' },
    relations: {
      'people via team': ofPeople((a, b) => same(b['team'], a['id'])),
      'person via people_teams': ofPeople((a, b) => areLinked(b, a)),
    },
  });
  return tables;
}
