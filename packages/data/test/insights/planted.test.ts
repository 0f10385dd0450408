import { cites } from '@baton/e2e/requirements';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Finding, insights, spearmanP } from '../insights-under-test.ts';
import { expectNear, findingAbout, numbersOf } from './asking.ts';
import { groupBy, naiveCramersV, naiveKruskal, naiveSpearman, sortedMedian } from './naive.ts';
import { createStaff, staffRecords, TODAY } from './staff.ts';

const { people, departments } = staffRecords();
const numbers = (field: string) => people.map((one) => Number(one[field]));
const texts = (field: string) => people.map((one) => String(one[field]));

let staff: Awaited<ReturnType<typeof createStaff>>;
let findings: readonly Finding[];
beforeAll(async () => {
  staff = await createStaff();
  const answer = await insights(staff.catalogue, staff.engine, {
    category: 'people',
    limit: 50,
    today: TODAY,
  });
  findings = answer.findings;
  expect({ ...answer, findings: [], tests: answer.tests > 50 }).toEqual({
    category: 'people',
    version: 'v1',
    rows: 240,
    findings: [],
    tests: true,
    truncated: false,
  });
});
afterAll(() => staff[Symbol.asyncDispose]());

const about = (kind: string, fields: readonly string[], what?: RegExp) =>
  findingAbout(findings, kind, fields, what);

describe(`${cites('DATA-INSIGHTS')} what is planted is found`, () => {
  it('and nothing else', () => {
    const found = findings.map(({ kind, fields }) => `${kind}: ${fields.join(', ')}`);
    expect(found.toSorted()).toEqual([
      'association: bonus, department.name',
      'association: city, country',
      'association: contract, shift',
      'association: pay, hours, wage',
      'association: weight, height',
      'outliers: bonus',
      'quality: badge',
      'quality: born',
      'quality: currency',
      'quality: departmentId',
      'quality: hired',
      'quality: id',
      'quality: nickname',
      'quality: phone, contract',
      'quality: score',
      'quality: status',
    ]);
  });

  it('with a sentence and a way of computing each', () => {
    for (const { what, how, numbers: own } of findings) {
      expect(what).toMatch(/^[^\n]{20,300}\.$/);
      expect(how).toMatch(/^[^\n]{5,150}$/);
      expect(Object.keys(own).length).toBeGreaterThan(0);
    }
  });

  it('references that lead nowhere', () => {
    const known = new Set(departments.map(({ id }) => id));
    const lost = texts('departmentId').filter((id) => !known.has(id));
    expect(about('quality', ['departmentId']).numbers).toEqual({
      dangling: lost.length,
      found: 240 - lost.length,
      examples: [...new Set(lost)],
    });
  });

  it('values that are missing where another has a certain value', () => {
    const there = people.filter(({ contract }) => contract === 'temporary');
    const missing = people.filter(({ phone }) => phone === null);
    const { cramersV, p, ...rest } = numbersOf(about('quality', ['phone', 'contract']));
    expect(rest).toEqual({
      missing: missing.length,
      rows: 240,
      share: expect.closeTo(missing.length / 240, 5),
      where: 'temporary',
      missingThere: there.length,
      recordsThere: there.length,
      missingElsewhere: 0,
      recordsElsewhere: 240 - there.length,
    });
    const pairs = people.map(
      ({ contract, phone }) => [String(contract), String(phone === null)] as const,
    );
    expectNear(cramersV, naiveCramersV(pairs));
    expect(p).toBeLessThan(1e-40);
  });

  it('fields that never have a value, or always the same', () => {
    expect(about('quality', ['nickname']).numbers).toEqual({ missing: 240, rows: 240, share: 1 });
    expect(about('quality', ['currency']).numbers).toEqual({
      rows: 240,
      values: { currency: 'EUR' },
    });
  });

  it('records that are equal but for their keys', () => {
    const same = groupBy(people, ({ id: _, ...rest }) => JSON.stringify(rest));
    const twice = [...same.values()].filter(({ length }) => length > 1);
    expect(about('quality', ['id']).numbers).toEqual({
      records: twice.flat().length,
      groups: twice.length,
      extra: twice.flat().length - twice.length,
      examples: twice.map((group) => group.map(({ id }) => id)),
    });
  });

  it('texts that are written in several ways', () => {
    const counts = groupBy(texts('status'), (text) => text);
    const ways = [...counts].filter(([text]) => text.trim().toLowerCase() === 'open');
    expect(about('quality', ['status']).numbers).toEqual({
      valuesWithSpellings: 1,
      recordsToCorrect: ways.flatMap(([text, all]) => (text === 'Open' ? [] : all)).length,
      recordsWithBlanks: texts('status').filter((text) => text !== text.trim()).length,
      examples: [
        ways
          .map(([value, all]) => ({ value, records: all.length }))
          .toSorted((a, b) => b.records - a.records),
      ],
    });
  });

  it('numbers that are texts', () => {
    const isNumber = (text: string) => /^\d+,\d+$/.test(text);
    const amount = texts('score').filter(isNumber).length;
    expect(about('quality', ['score']).numbers).toEqual({
      values: 240,
      numbers: amount,
      share: expect.closeTo(amount / 240, 5),
      others: ['n/a', '-'],
    });
  });

  it('dates that cannot be right', () => {
    expect(about('quality', ['hired']).numbers).toEqual({
      values: 1,
      of: 240,
      extreme: '2999-01-01',
      records: [41],
    });
    expect(about('quality', ['born']).numbers).toEqual({
      values: 1,
      of: 240,
      extreme: '1850-05-05',
      records: [42],
    });
  });

  it('codes that occur twice', () => {
    const badges = groupBy(texts('badge'), (badge) => badge);
    const twice = [...badges].filter(([, { length }]) => length > 1);
    expect(about('quality', ['badge']).numbers).toEqual({
      values: twice.length,
      records: twice.flatMap(([, all]) => all).length,
      distinct: badges.size,
      share: expect.closeTo(badges.size / 240, 5),
      examples: twice.toSorted(([, a], [, b]) => b.length - a.length).map(([badge]) => badge),
    });
  });

  it('a number far away from the others', () => {
    const values = numbers('bonus');
    const center = sortedMedian(values);
    const deviation = sortedMedian(values.map((value) => Math.abs(value - center)));
    const z = (value: number) => (0.6745 * (value - center)) / deviation;
    const far = people.filter(({ bonus }) => Math.abs(z(Number(bonus))) > 3.5);
    const own = numbersOf(about('outliers', ['bonus']));
    expect(own).toMatchObject({ values: far.length, of: 240 });
    expectNear(own['median'], center);
    expectNear(own['mad'], deviation);
    expectNear(own['low'], center - (3.5 * deviation) / 0.6745);
    expectNear(own['high'], center + (3.5 * deviation) / 0.6745);
    expect(own['records']).toEqual(
      far.map(({ id, bonus }) => ({
        record: id,
        value: bonus,
        z: Number(z(Number(bonus)).toPrecision(4)),
      })),
    );
  });

  it('numbers that rise together', () => {
    const own = numbersOf(about('association', ['weight', 'height']));
    const rho = naiveSpearman(numbers('weight'), numbers('height'));
    expectNear(own['rho'], rho);
    expect(own['n']).toBe(240);
    // It cannot be smaller than without a correction.
    expect(own['p']).toBeGreaterThanOrEqual(spearmanP(rho, 240));
    expect(own['p']).toBeLessThan(spearmanP(rho, 240) * 200);
  });

  it('numbers that differ by what a record leads to', () => {
    const nameOf = new Map(departments.map(({ id, name }) => [id, name]));
    const known = people.filter(({ departmentId }) => nameOf.has(String(departmentId)));
    const groups = groupBy(known, ({ departmentId }) => nameOf.get(String(departmentId)) ?? '');
    const values = [...groups].map(([group, all]) => ({
      group,
      bonuses: all.map(({ bonus }) => Number(bonus)),
    }));
    const standings = values
      .map(({ group, bonuses }) => ({
        group,
        median: sortedMedian(bonuses),
        records: bonuses.length,
      }))
      .toSorted((a, b) => b.median - a.median);
    const own = numbersOf(about('association', ['bonus', 'department.name']));
    const h = naiveKruskal(values.map(({ bonuses }) => bonuses));
    expectNear(own['h'], h);
    expectNear(own['epsilonSquared'], h / (known.length - 1));
    expect(own).toMatchObject({ groups: 5, n: known.length });
    expect(own['highest']).toEqual({
      ...standings[0],
      median: expect.closeTo(standings[0]?.median ?? 0, 1),
    });
    expect(own['lowest']).toEqual({
      ...standings[4],
      median: expect.closeTo(standings[4]?.median ?? 0, 1),
    });
  });

  it('values that go together', () => {
    const pairs = people.map(({ contract, shift }) => [String(contract), String(shift)] as const);
    const own = numbersOf(about('association', ['contract', 'shift']));
    expectNear(own['cramersV'], naiveCramersV(pairs));
    const fixed = pairs.filter(([contract]) => contract === 'fixed');
    const night = pairs.filter(([, shift]) => shift === 'night');
    const expected = (fixed.length * night.length) / 240;
    expect(own['strongest']).toEqual({
      contract: 'fixed',
      shift: 'night',
      records: fixed.filter(([, shift]) => shift === 'night').length,
      expected: expect.closeTo(expected, 3),
    });
    expect(own['n']).toBe(240);
  });

  it('one field that tells another, and the one exception', () => {
    expect(about('association', ['city', 'country']).numbers).toEqual({
      values: 5,
      records: 240,
      exceptions: 1,
      share: expect.closeTo(239 / 240, 5),
      examples: [{ city: 'Oslo', country: 'Sweden', records: 1 }],
    });
  });

  it('one field that is computed from others, instead of correlations with it', () => {
    const holds = people.filter(
      ({ pay, hours, wage }) => Math.abs(Number(pay) - Number(hours) * Number(wage)) < 0.0051,
    );
    expect(about('association', ['pay', 'hours', 'wage']).numbers).toEqual({
      holds: holds.length,
      of: 240,
      share: 1,
    });
    expect(naiveSpearman(numbers('pay'), numbers('hours'))).toBeGreaterThan(0.9);
  });
});

describe('findings', () => {
  const ask = (rest: {
    readonly field?: string;
    readonly limit?: number;
    readonly category?: string;
  }) => insights(staff.catalogue, staff.engine, { category: 'people', today: TODAY, ...rest });

  it('come strongest first, and as many as are wanted', async () => {
    const { findings: three, truncated, next } = await ask({ limit: 3 });
    expect(three).toEqual(findings.slice(0, 3));
    expect(truncated).toBe(true);
    expect(next).toMatch(/^13 more/);
  });

  it('are about one field if that is wanted', async () => {
    const { findings: own, tests } = await ask({ field: 'Bonus', limit: 50 });
    expect(own.map(({ kind }) => kind).toSorted()).toEqual(['association', 'outliers', 'quality']);
    // A record that is equal to another is equal in this field too.
    expect(own.every(({ fields }) => fields.includes('bonus') || fields.includes('id'))).toBe(true);
    expect(tests).toBeLessThan(40);
    const { findings: led } = await ask({ field: 'departmentId' });
    expect(led.map(({ fields }) => fields.join())).toContain('bonus,department.name');
  });

  it('are refused for what is not there', async () => {
    await expect(ask({ field: 'bonnus' })).rejects.toMatchObject({ code: 'data_field_unknown' });
    await expect(ask({ category: 'peeple' })).rejects.toMatchObject({
      code: 'data_category_unknown',
    });
  });

  it('end when nobody wants them any more', async () => {
    const signal = AbortSignal.abort();
    const { catalogue, engine } = staff;
    const running = insights(catalogue, engine, { category: 'people', signal });
    await expect(running).rejects.toMatchObject({ failure: 'cancelled' });
  });
});
