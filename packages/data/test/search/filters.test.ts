import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestEngine } from '../test-engine.ts';
import { createCompany, refusal } from './company.ts';

type Company = Awaited<ReturnType<typeof createCompany>>;

const engine = createTestEngine();
let company: Company;
beforeAll(async () => {
  company = await createCompany(engine.engine);
});
afterAll(() => engine[Symbol.asyncDispose]());

const all = ['P1', 'P2', 'P3', 'P4', 'P5'];

describe('values of a record', () => {
  it.each<[object, string[]]>([
    [{}, all],
    // Text: exactly, or by code points.
    [{ name: 'bob' }, ['P3']],
    [{ name: 'Zoe Angstrom' }, []],
    [{ name: ['Bob', 'bob'] }, ['P2', 'P3']],
    [{ name: { $gt: 'Zoë Ångström' } }, ['P3', 'P4']],
    [{ name: { $lte: 'Bob' } }, ['P2', 'P5']],
    [{ name: { $contains: 'ANGSTROM' } }, ['P1']],
    [{ name: { $contains: 'émi' } }, ['P4']],
    [{ name: { $regex: '^b' } }, ['P3']],
    [{ name: { $regex: '(?i)^b' } }, ['P2', 'P3']],
    // Missing values.
    [{ age: null }, ['P3']],
    [{ age: { $exists: false } }, ['P3']],
    [{ age: { $exists: true } }, ['P1', 'P2', 'P4', 'P5']],
    [{ age: { $ne: null } }, ['P1', 'P2', 'P4', 'P5']],
    [{ age: { $ne: 30 } }, ['P1', 'P3', 'P4', 'P5']],
    [{ age: { $nin: [30, 41] } }, ['P3', 'P4', 'P5']],
    [{ age: { $in: [30, null] } }, ['P2', 'P3']],
    [{ age: { $nin: [30, null] } }, ['P1', 'P4', 'P5']],
    [{ age: { $in: [] } }, []],
    [{ age: { $nin: [] } }, all],
    [{ age: { $lt: 1000 } }, ['P1', 'P2', 'P4', 'P5']],
    [{ age: { $not: { $lt: 1000 } } }, ['P3']],
    [{ $not: { age: { $lt: 1000 } } }, ['P3']],
    // Numbers.
    [{ age: '41' }, ['P1']],
    [{ age: 41.5 }, []],
    [{ age: { $gt: 40.5, $lt: 54.999 } }, ['P1']],
    [{ age: { $lt: 1e300 } }, ['P1', 'P2', 'P4', 'P5']],
    [{ age: { $lt: '99999999999999999999' } }, ['P1', 'P2', 'P4', 'P5']],
    [{ salary: 1000.5 }, ['P2']],
    [{ salary: '1000.50' }, ['P2']],
    [{ salary: { $gt: 1000.499, $lt: 1000.501 } }, ['P2']],
    [{ salary: { $gte: 4200.25 } }, ['P1', 'P4']],
    [{ score: [0.5, '-2.25'] }, ['P1', 'P2']],
    [{ score: { $gt: 1e19 } }, ['P4']],
    [{ salary: { $contains: '00.5' } }, ['P2']],
    [{ salary: { $regex: '^9000$' } }, ['P1']],
    // Booleans.
    [{ active: true }, ['P1', 'P4', 'P5']],
    [{ active: 'false' }, ['P2']],
    [{ active: { $ne: true } }, ['P2', 'P3']],
    // Days, months and years.
    [{ hired: '2020-01-01' }, ['P1']],
    [{ hired: '2024' }, ['P2', 'P4']],
    [{ hired: 2024 }, ['P2', 'P4']],
    [{ hired: '2024-05' }, ['P2']],
    [{ hired: { $gt: '2024-05' } }, ['P4']],
    [{ hired: { $gte: '2024-05' } }, ['P2', 'P4']],
    [{ hired: { $lt: '2020' } }, ['P3']],
    [{ hired: { $lte: '2020' } }, ['P1', 'P3']],
    [{ hired: ['2019', '2024-05-31'] }, ['P2', 'P3']],
    [{ hired: { $lt: '2020-01-01T00:00:01' } }, ['P1', 'P3']],
    [{ hired: { $regex: '-05-' } }, ['P2']],
    [{ seen: '2024-05-01' }, ['P1', 'P2']],
    [{ seen: '2024-05-01T12:30:00' }, ['P1']],
    [{ seen: '2024-05-01T14:30:00.25+02:00' }, ['P2']],
    [{ seen: { $gt: '2024-05-01T12:30' } }, ['P2']],
    [{ seen: { $lt: '2024' } }, ['P4']],
    [{ seen: { $lte: '2024-01-01' } }, ['P4', 'P5']],
    // Lists.
    [{ tags: 'go' }, ['P1']],
    [{ tags: { $contains: 'CAFE' } }, ['P1']],
    [{ tags: { $regex: '(?i)^go$' } }, ['P1', 'P2']],
    [{ tags: { $ne: 'go' } }, ['P2', 'P3', 'P4', 'P5']],
    [{ tags: { $exists: false } }, ['P4']],
    [{ tags: ['a', 'Go'] }, ['P2', 'P5']],
    [{ marks: { $gt: 4 } }, ['P1', 'P3']],
    [{ marks: { $gt: 1, $lt: 5 } }, ['P5', 'P1'].sort()],
    [{ marks: '7' }, ['P3']],
    // Bytes.
    [{ badge: '\\x00ff' }, ['P1']],
    // And, or, not.
    [{ $or: [{ name: 'Bob' }, { age: { $gt: 50 } }] }, ['P2', 'P4']],
    [{ $and: [{ active: true }, { age: { $lt: 50 } }], name: { $ne: 'Ann' } }, ['P1']],
    [{ $not: { $or: [{ name: 'Bob' }, { active: true }] } }, ['P3']],
  ])('%j', async (filters, expected) => {
    expect(await company.ids('people', filters)).toEqual(expected);
  });
});

describe('JSON', () => {
  it.each<[object, string[]]>([
    [{ 'address.city': 'Oslo' }, ['P1']],
    [{ address: { city: ['Oslo', 'Bergen'] } }, ['P1', 'P2']],
    [{ 'address.city': { $exists: false } }, ['P3', 'P4', 'P5']],
    [{ 'address.city': { $ne: 'Oslo' } }, ['P2', 'P3', 'P4', 'P5']],
    // Of their own kind only.
    [{ 'address.zip': '5003' }, []],
    [{ 'address.zip': 5003 }, ['P2']],
    [{ 'address.zip': { $regex: '^5' } }, ['P2']],
    // Through lists.
    [{ 'address.pets.kind': 'dog' }, ['P1']],
    [{ 'address.pets': { $exists: true } }, ['P1', 'P2']],
    [{ 'address.pets.age': { $gt: 8 }, 'address.pets.kind': 'cat' }, ['P1']],
    // One of them, as a whole.
    [{ address: { pets: { kind: 'cat', age: { $gt: 8 } } } }, []],
    [{ address: { pets: { kind: 'dog', age: { $gt: 8 } } } }, ['P1']],
    [{ 'address.pets': { $not: { kind: 'dog' } } }, ['P2', 'P3', 'P4', 'P5']],
    [{ address: 'x' }, ['P5']],
    [{ address: true }, ['P5']],
    [{ address: { $exists: false } }, ['P4']],
    [{ address: { $contains: 'OSL' } }, ['P1']],
    // Keys are not contents.
    [{ address: { $contains: 'kind' } }, []],
    [{ address: { $contains: 'null' } }, []],
    [{ 'address.__proto__': { $exists: true } }, []],
  ])('%j', async (filters, expected) => {
    expect(await company.ids('people', filters)).toEqual(expected);
  });
});

describe('related records', () => {
  it.each<[string, object, (string | number)[]]>([
    ['people', { department: 'Engineering' }, ['P1', 'P2']],
    ['people', { department: 'D2' }, ['P3']],
    ['people', { Department: ['Sales', 'D1'] }, ['P1', 'P2', 'P3']],
    ['people', { departments: 'Sales' }, ['P3']],
    ['people', { department: { $contains: 'SAL' } }, ['P3']],
    ['people', { department: { $ne: 'Engineering' } }, ['P3', 'P4', 'P5']],
    // D9 leads nowhere.
    ['people', { department: { $exists: true } }, ['P1', 'P2', 'P3']],
    ['people', { department: null }, ['P4', 'P5']],
    ['people', { departmentId: { $exists: true } }, ['P1', 'P2', 'P3', 'P4']],
    ['people', { departmentId: 'Engineering' }, []],
    ['people', { department: { city: 'Oslo' } }, ['P1', 'P2']],
    ['people', { departmentId: { city: 'Oslo' } }, ['P1', 'P2']],
    ['people', { department: { $not: { city: 'Oslo' } } }, ['P3', 'P4', 'P5']],
    ['people', { department: { city: { $ne: 'Oslo' } } }, ['P3']],
    ['people', { 'department.city': { $ne: 'Oslo' } }, ['P3', 'P4', 'P5']],
    ['people', { 'department.name': 'Engineering' }, ['P1', 'P2']],
    ['people', { 'department.head.name': { $contains: 'zoe' } }, ['P1', 'P2']],
    ['people', { 'department.head': 'bob' }, ['P3']],
    ['people', { 'manager.department.head.manager': 'P1' }, ['P4']],
    ['people', { 'manager.manager': { $exists: true } }, ['P4']],
    ['people', { manager: { $or: [{ name: 'bob' }, { age: 41 }] } }, ['P2', 'P3', 'P4']],
    // Against the relation.
    ['departments', { people: 'Bob' }, ['D1']],
    ['departments', { employees: { age: { $lt: 40 } } }, ['D1']],
    ['departments', { people: { $exists: false } }, ['D3']],
    ['departments', { person: 'bob' }, ['D2']],
    ['departments', { 'people.manager': 'P1' }, ['D1', 'D2']],
    ['people', { 'departments via head': 'Sales' }, ['P3']],
    ['people', { 'people via manager': { $exists: true } }, ['P1', 'P3']],
    // Over a link table, as if it were one step.
    ['people', { skills: 'Cooking' }, ['P1', 'P2']],
    ['people', { skill: 2 }, ['P1', 'P2']],
    ['people', { skills: { $ne: 'Cooking' } }, ['P3', 'P4', 'P5']],
    ['people', { skills: { $exists: true } }, ['P1', 'P2', 'P3']],
    // A text that is a number is a label here, and a key there.
    ['people', { skills: '4711' }, ['P3']],
    ['people', { skills: '2' }, ['P1', 'P2']],
    ['skills', { 'people.department': 'Engineering' }, [1, 2]],
    ['people', { people_skills: { level: { $gte: 3 } } }, ['P1', 'P2']],
    // Lists of keys.
    ['company-projects', { members: 'bob' }, [2]],
    ['company-projects', { members: { age: { $gt: 40 } } }, [1]],
    ['company-projects', { members: { $exists: true } }, [1, 2]],
    ['company-projects', { member_ids: 'P9' }, [2]],
    ['company-projects', { 'members.department.city': 'Oslo' }, [1]],
    ['people', { 'Company Project': 'Bridge' }, ['P1', 'P2']],
    // A field with its relation's name is both.
    ['company-projects', { department: 'Sales' }, [2]],
    ['company-projects', { department: 'D7' }, [3]],
    ['company-projects', { department: { $ne: 'Sales' } }, [1, 3, 4]],
    ['company-projects', { department: { $exists: true } }, [1, 2, 3]],
    ['company-projects', { department: { city: 'Oslo' } }, [1]],
    ['company-projects', { 'department.city': 'Bergen' }, [2]],
    ['company-projects', { 'start.date': '2024-05' }, [1, 2]],
    ['company-projects', { startDate: '2025' }, [4]],
    ['company-projects', { 'project nr': { $lte: 2 } }, [1, 2]],
  ])('%s %j', async (category, filters, expected) => {
    expect(await company.ids(category, filters)).toEqual(expected);
  });
});

describe('names', () => {
  it.each(['people', 'People', 'person', 'STAFF', 'Employee'])('a category as %s', async (name) => {
    expect(await company.ids(name, { name: 'Bob' })).toEqual(['P2']);
  });

  it.each(['salary', 'Salary', 'pay', 'monthly_wage', 'MonthlyWage'])(
    'a field as %s',
    async (name) => {
      expect(await company.ids('people', { [name]: 9000 })).toEqual(['P1']);
    },
  );

  it.each<[string, object, RegExp, RegExp]>([
    ['people', { salry: 1 }, /people has no field "salry"/, /Did you mean "salary"/],
    ['people', { 'department.nam': 1 }, /departments has no field "nam"/, /"name"/],
    ['people', { 'salary.x': 1 }, /people has no field "salary.x"/, /salary/],
    ['people', JSON.parse('{"__proto__": 1}'), /no field "__proto__"/, /Fields: id/],
    ['people', { constructor: 1 }, /no field "constructor"/, /Fields: id/],
    ['people', { toString: 1 }, /no field "toString"/, /Fields: id/],
    ['people', { '': 1 }, /no field ""/, /Fields: id/],
    ['people', { 'address.a.b.c.d.e.f.g.h.i': 'x' }, /more than 8 levels/, /shorter/],
    ['people', { address: { [`a${'.a'.repeat(9999)}`]: 'x' } }, /more than 8 levels/, /shorter/],
    ['people', { [`x${'.a'.repeat(9999)}`]: 'x' }, /no field "x\.a/, /Fields/],
    [
      'people',
      { 'manager.manager.manager.manager.manager.name': 'x' },
      /more than 4 steps/,
      /nearer/,
    ],
  ])('%s %#', async (category, filters, message, next) => {
    const said = await refusal(company.find({ category, filters }));
    expect(said.code).toBe('data_field_unknown');
    expect(said.message).toMatch(message);
    expect(said.next).toMatch(next);
  });

  it('an ambiguous name lists what it may mean', async () => {
    const people = company.catalogue.categories.find(({ id }) => id === 'people');
    const [first, ...more] = people?.fields ?? [];
    const fields = first ? [first, ...more.map((field) => ({ ...field, aliases: ['x'] }))] : [];
    const catalogue = {
      ...company.catalogue,
      categories: company.catalogue.categories.map((one) =>
        one === people ? { ...one, fields } : one,
      ),
    };
    const { search } = await import('../search-under-test.ts');
    const said = await refusal(
      search({ catalogue, engine: company.engine }, { category: 'people', filters: { x: 1 } }),
    );
    expect(said.message).toBe('"x" means several fields of people.');
    expect(said.next).toMatch(/"name", "departmentId"/);
  });

  it('an unknown category names near ones', async () => {
    const said = await refusal(company.find({ category: 'peple' }));
    expect(said.code).toBe('data_category_unknown');
    expect(said.message).toBe('There is no category "peple".');
    expect(said.next).toMatch(/^Did you mean "people"\?.* Categories: company-projects, /);
  });
});

describe('what is refused', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { name: 'x' } : { $and: [nested(depth - 1)] };
  const not = (depth: number): object => (depth === 0 ? { $eq: 'x' } : { $not: not(depth - 1) });

  it.each<[object, string, RegExp]>([
    [{ age: { $like: 5 } }, 'data_operator_unknown', /\$like.*There are \$eq/s],
    [{ age: { $gtt: 5 } }, 'data_operator_unknown', /Did you mean \$gt/],
    [{ age: { gte: 5 } }, 'data_operator_unknown', /Did you mean \$gte/],
    [{ $nor: [] }, 'data_operator_unknown', /Did you mean \$(?:or|not)/],
    [{ department: { $gtt: 5 } }, 'data_operator_unknown', /\$gt/],
    [{ $gt: 5 }, 'data_filter_invalid', /without a field/],
    [{ age: 'old' }, 'data_filter_invalid', /age is an integer; "old" is none.*41/s],
    [{ age: { $gt: true } }, 'data_filter_invalid', /integer/],
    [{ age: ' 41' }, 'data_filter_invalid', /integer/],
    [{ salary: '12 000' }, 'data_filter_invalid', /number/],
    [{ score: 'NaN' }, 'data_filter_invalid', /number/],
    [{ score: '1e999' }, 'data_filter_invalid', /number/],
    [{ active: 'yes' }, 'data_filter_invalid', /boolean.*true/s],
    [{ hired: 'yesterday' }, 'data_filter_invalid', /date.*2019-12-31/s],
    [{ hired: '2024-02-30' }, 'data_filter_invalid', /date/],
    [{ seen: '2024-13' }, 'data_filter_invalid', /time/],
    [{ marks: 'x' }, 'data_filter_invalid', /integer/],
    [{ age: { $gt: null } }, 'data_filter_invalid', /not null/],
    [{ age: { $in: 5 } }, 'data_filter_invalid', /list/],
    [{ age: { $eq: [5] } }, 'data_filter_invalid', /\$in/],
    [{ age: [[5]] }, 'data_filter_invalid', /one value/],
    [{ age: {} }, 'data_filter_invalid', /empty/],
    [{ age: { $exists: 'maybe' } }, 'data_filter_invalid', /true or false/],
    [{ name: { $regex: '(' } }, 'data_filter_invalid', /"\(" cannot be read/],
    [{ name: { $regex: '(a)\\1' } }, 'data_filter_invalid', /cannot be read/],
    [{ name: { $regex: '((a{100}){100}){100}' } }, 'data_filter_invalid', /cannot be read/],
    [{ name: { $regex: 'a'.repeat(501) } }, 'data_filter_invalid', /500/],
    [{ name: { $contains: ['a'] } }, 'data_filter_invalid', /a text/],
    [{ $and: {} }, 'data_filter_invalid', /list/],
    [{ $or: [] }, 'data_filter_invalid', /list/],
    [{ $not: [] }, 'data_filter_invalid', /object/],
    [nested(8), 'data_filter_invalid', /8 levels/],
    [{ name: not(8) }, 'data_filter_invalid', /8 levels/],
    [{ $or: Array.from({ length: 201 }, () => ({ age: 1 })) }, 'data_filter_invalid', /200/],
    [
      { $and: Array.from({ length: 41 }, (_, n) => ({ department: `D${n}` })) },
      'data_filter_invalid',
      /related records more than 40/,
    ],
    [{ age: Array.from({ length: 1001 }, (_, n) => n) }, 'data_filter_invalid', /1000/],
    [
      { $or: Array.from({ length: 6 }, () => ({ age: Array.from({ length: 1000 }, () => 1) })) },
      'data_filter_invalid',
      /5000/,
    ],
  ])('%#', async (filters, code, said) => {
    const {
      code: real,
      message,
      next,
    } = await refusal(company.find({ category: 'people', filters }));
    expect(real).toBe(code);
    expect(`${message} ${next}`).toMatch(said);
  });

  it('nothing of a filter reaches the statement', async () => {
    const evil = `x' OR 1=1; DROP TABLE people; --"`;
    expect(await company.ids('people', { name: evil })).toEqual([]);
    expect(await company.ids('people', { name: { $contains: evil } })).toEqual([]);
    expect(await company.ids('people', { [`address.${evil}`]: evil })).toEqual([]);
    expect(await company.ids('people', {})).toEqual(all);
  });

  it('takes the most that is allowed', async () => {
    const days = Array.from({ length: 1000 }, (_, n) => `${1000 + n}-05`);
    expect(await company.ids('people', { hired: [...days.slice(1), '2019'] })).toEqual(['P3']);
    expect(await company.ids('people', nested(7))).toEqual([]);
    expect(await company.ids('people', { name: not(7) })).toEqual(all);
    const path = { 'address.a.b.c.d.e.f.g.h': { $exists: true } };
    expect(await company.ids('people', path, { fields: ['id', ...Object.keys(path)] })).toEqual([]);
    const inside = [1, 2, 3, 4, 5, 6].reduce<object>((inner) => ({ a: inner }), { a: 'x' });
    expect(await company.ids('people', { address: inside })).toEqual([]);
    const near = Array.from({ length: 40 }, (_, n) => ({ department: { $ne: `D${n + 2}` } }));
    expect(await company.ids('people', { $and: near })).toEqual(['P1', 'P2', 'P4', 'P5']);
    const many = Array.from({ length: 199 }, (_, n) => ({ department: `D${n + 1}` }));
    expect(await company.ids('people', { $or: many })).toEqual(['P1', 'P2', 'P3']);
  });
});
