import { catalogueOfTables } from '../query/catalogue-of-tables.ts';
import { createNumbers, day, recordsSql, round, type TestRecord } from './records.ts';

export const TODAY = '2026-06-30';

const DEPARTMENTS = ['Engineering', 'Sales', 'Support', 'Legal', 'Design'];
const CITIES = [
  ['Oslo', 'Norway'],
  ['Bergen', 'Norway'],
  ['Berlin', 'Germany'],
  ['Hamburg', 'Germany'],
  ['Lyon', 'France'],
] as const;

type Numbers = ReturnType<typeof createNumbers>;

function personOf(at: number, numbers: Numbers): TestRecord {
  const department = numbers.integer(5);
  const height = round(170 + 10 * numbers.normal());
  const [city, country] = numbers.pick(CITIES);
  const contract = numbers.pick(['fixed', 'temporary', 'permanent']);
  const isAtNight = contract === 'fixed' && numbers.uniform() < 0.9;
  const hours = 10 + numbers.integer(31);
  const wage = round(20 + 5 * numbers.uniform());
  return {
    id: at + 1,
    badge: `B-${1000 + (at < 237 ? at : 0)}`,
    departmentId: `d${department + 1}`,
    height,
    weight: round(height * 0.9 - 80 + 4 * numbers.normal()),
    hours,
    wage,
    pay: round(hours * wage),
    bonus: round(1000 * (department + 1) + 400 * numbers.normal()),
    luck: round(numbers.normal(), 3),
    city,
    country,
    contract,
    phone: contract === 'temporary' ? null : `+47 ${1_000_000 + at * 7919}`,
    status: numbers.pick(['Open', 'Closed', 'Waiting']),
    score: `${numbers.integer(900)},5`,
    shift: isAtNight ? 'night' : numbers.pick(['day', 'late']),
    currency: 'EUR',
    hired: day(numbers.integer(1096)),
    born: day(-20_000 + numbers.integer(10_000)),
    nickname: null,
  };
}

/** What is different in single records. */
const CHANGES: { readonly [at: number]: TestRecord } = {
  0: { status: 'open ', score: 'n/a' },
  1: { status: 'open ', score: 'n/a' },
  2: { status: 'OPEN', score: '-' },
  17: { departmentId: 'd9' },
  33: { city: 'Oslo', country: 'Sweden' },
  40: { hired: '2999-01-01' },
  41: { born: '1850-05-05' },
  60: { bonus: 250_000 },
  90: { departmentId: 'd9' },
};

/** Records with effects that are planted into them, among what is random. */
export function staffRecords() {
  const numbers = createNumbers(11);
  const departments = DEPARTMENTS.map((name, at) => ({
    id: `d${at + 1}`,
    name,
    floor: at < 2 ? 'upper' : 'lower',
    budget: 100_000 * (at + 1),
  }));
  const people = Array.from({ length: 240 }, (_, at) => personOf(at, numbers));
  for (const [at, change] of Object.entries(CHANGES)) {
    people[Number(at)] = { ...people[Number(at)], ...change };
  }
  // One has been entered twice.
  people[200] = { ...people[50], id: 201 };
  return { departments, people };
}

export function createStaff() {
  const { departments, people } = staffRecords();
  return catalogueOfTables(
    [
      {
        table: 'people',
        labels: ['badge'],
        sql: recordsSql(
          {
            id: 'BIGINT',
            badge: 'VARCHAR',
            departmentId: 'VARCHAR',
            height: 'DOUBLE',
            weight: 'DOUBLE',
            hours: 'BIGINT',
            wage: 'DECIMAL(18,2)',
            pay: 'DECIMAL(18,2)',
            bonus: 'DECIMAL(18,2)',
            luck: 'DOUBLE',
            city: 'VARCHAR',
            country: 'VARCHAR',
            contract: 'VARCHAR',
            phone: 'VARCHAR',
            status: 'VARCHAR',
            score: 'VARCHAR',
            shift: 'VARCHAR',
            currency: 'VARCHAR',
            hired: 'DATE',
            born: 'DATE',
            nickname: 'VARCHAR',
          },
          people,
        ),
      },
      {
        table: 'departments',
        sql: recordsSql(
          { id: 'VARCHAR', name: 'VARCHAR', floor: 'VARCHAR', budget: 'BIGINT' },
          departments,
        ),
      },
    ],
    [
      {
        name: 'department',
        from: 'people',
        field: 'departmentId',
        to: 'departments',
        toField: 'id',
        cardinality: 'one',
        found: 238,
        dangling: 2,
      },
    ],
  );
}
