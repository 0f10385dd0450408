import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bucketsOf, type Finding, insights } from '../insights-under-test.ts';
import { expectNear, findingAbout, numbersOf } from './asking.ts';
import { groupBy, naiveSpearman, naiveTheilSen, sortedMedian, sumOf } from './naive.ts';
import { createShop, shopRecords } from './shop.ts';

const { orders, customers } = shopRecords();

let shop: Awaited<ReturnType<typeof createShop>>;
let findings: readonly Finding[];
beforeAll(async () => {
  shop = await createShop();
  ({ findings } = await insights(shop.catalogue, shop.engine, {
    category: 'orders',
    limit: 50,
    today: '2026-06-30',
  }));
});
afterAll(() => shop[Symbol.asyncDispose]());

/** Whole months only: the first order is later than the first day of its month. */
const months = [...new Set(orders.map(({ ordered }) => ordered.slice(0, 7)))].toSorted();
const firstDay = orders.map(({ ordered }) => ordered).toSorted()[0] ?? '';
const lastDay =
  orders
    .map(({ ordered }) => ordered)
    .toSorted()
    .at(-1) ?? '';
const whole = months.filter(
  (month) =>
    (month !== firstDay.slice(0, 7) || firstDay.endsWith('-01')) &&
    (month !== lastDay.slice(0, 7) || lastDay.endsWith('-31')),
);
const inMonth = (month: string) => orders.filter(({ ordered }) => ordered.startsWith(month));

function expectTrend(finding: Finding, values: readonly number[], slopes = values): void {
  const own = numbersOf(finding);
  const third = Math.floor(values.length / 3);
  const [first, last] = [values.slice(0, third), values.slice(-third)].map(
    (part) => sumOf(part) / third,
  ) as [number, number];
  expect(own).toMatchObject({ unit: 'month', buckets: values.length });
  expectNear(own['firstThird'], first);
  expectNear(own['lastThird'], last);
  expectNear(own['changePercent'], (last / first - 1) * 100);
  expectNear(own['slopePerMonth'], naiveTheilSen(slopes));
  let score = 0;
  for (const [at, value] of values.entries()) {
    for (const later of values.slice(at + 1)) score += Math.sign(later - value);
  }
  expectNear(own['tau'], score / ((values.length * (values.length - 1)) / 2));
  expect(own['p']).toBeLessThan(0.01);
}

describe('over time', () => {
  it('counts rise', () => {
    const finding = findingAbout(findings, 'trend', ['ordered'], /rises/);
    expect(numbersOf(finding)).toMatchObject({ from: whole[0], to: whole.at(-1) });
    expectTrend(
      finding,
      whole.map((month) => inMonth(month).length),
    );
  });

  it('a measure rises', () => {
    const finding = findingAbout(findings, 'trend', ['delivery', 'ordered']);
    const own = numbersOf(finding);
    const points = whole
      .map((month, at) => ({ at, all: inMonth(month).map(({ delivery }) => delivery) }))
      .filter(({ all }) => all.length >= 3)
      .map(({ at, all }) => ({ at, value: sortedMedian(all) }));
    // A month without enough orders is left out, and slopes go over it.
    const slopes: number[] = [];
    for (const [index, a] of points.entries()) {
      for (const b of points.slice(index + 1)) slopes.push((b.value - a.value) / (b.at - a.at));
    }
    expect(points.length).toBe(whole.length - 1);
    expectNear(own['slopePerMonth'], sortedMedian(slopes));
    expect(own['buckets']).toBe(points.length);
    const third = Math.floor(points.length / 3);
    expectNear(own['firstThird'], sumOf(points.slice(0, third).map(({ value }) => value)) / third);
    expectNear(own['lastThird'], sumOf(points.slice(-third).map(({ value }) => value)) / third);
  });

  it('a month with hardly any records stands out', () => {
    const { gaps, examples, unit } = numbersOf(
      findingAbout(findings, 'trend', ['ordered'], /far fewer/),
    );
    expect({ gaps, unit }).toEqual({ gaps: 1, unit: 'month' });
    const [{ at, count, expected }] = examples as [{ at: string; count: number; expected: number }];
    expect({ at, count }).toEqual({ at: '2024-02', count: inMonth('2024-02').length });
    const counts = whole.map((month) => inMonth(month).length);
    const slope = naiveTheilSen(counts);
    const height = sortedMedian(counts.map((value, index) => value - slope * index));
    expectNear(expected, height + slope * whole.indexOf('2024-02'));
  });

  it('and nothing else', () => {
    expect(findings.filter(({ kind }) => kind === 'trend')).toHaveLength(3);
  });
});

describe('what records lead to', () => {
  it('is compared once for each of these', () => {
    const own = numbersOf(findingAbout(findings, 'association', ['amount', 'buyer.employees']));
    const byCustomer = groupBy(orders, ({ customer }) => customer);
    const pairs = customers.flatMap(({ id, employees }) => {
      const amounts = (byCustomer.get(id) ?? []).map(({ amount }) => amount);
      return amounts.length > 0 ? [{ employees, amount: sortedMedian(amounts) }] : [];
    });
    expect(own['n']).toBe(pairs.length);
    expectNear(
      own['rho'],
      naiveSpearman(
        pairs.map(({ employees }) => employees),
        pairs.map(({ amount }) => amount),
      ),
    );
  });

  it('a few of them make up most of the records, and more of the sum', () => {
    const counts = [...groupBy(orders, ({ customer }) => customer)]
      .map(([value, all]) => ({
        value,
        records: all.length,
        sum: sumOf(all.map(({ amount }) => amount)),
      }))
      .toSorted((a, b) => b.records - a.records);
    let held = 0;
    let few = 0;
    while (held < 0.6 * orders.length) held += counts[few++]?.records ?? 0;
    const byRecords = numbersOf(findingAbout(findings, 'distribution', ['customer']));
    expect(byRecords).toMatchObject({
      top: few,
      values: counts.length,
      records: held,
      of: orders.length,
    });
    expectNear(byRecords['share'], held / orders.length);
    const sums = counts.toSorted((a, b) => b.sum - a.sum);
    const top = Math.ceil(0.2 * counts.length);
    const bySum = numbersOf(findingAbout(findings, 'distribution', ['amount', 'customer']));
    const largest = sumOf(sums.slice(0, top).map(({ sum }) => sum));
    expect(bySum).toMatchObject({ top, values: counts.length });
    expectNear(bySum['sum'], largest);
    expectNear(bySum['total'], sumOf(orders.map(({ amount }) => amount)));
    expectNear(bySum['share'], largest / sumOf(orders.map(({ amount }) => amount)));
    // Parcels and days of delivery are held by whoever has the most orders, which was said.
    expect(findings.filter(({ kind }) => kind === 'distribution')).toHaveLength(2);
  });
});

describe('the parts of a time', () => {
  it.each([
    ['2023-01-15', '2023-12-31', 'month', '2023-02-01', '2023-12-01'],
    ['2023-01-01', '2023-12-30', 'month', '2023-01-01', '2023-11-01'],
    ['2024-01-01', '2024-01-20', 'day', '2024-01-01', '2024-01-20'],
    ['2024-01-03', '2024-04-10', 'week', '2024-01-08', '2024-04-01'],
    ['2015-02-01', '2024-12-31', 'quarter', '2015-04-01', '2024-10-01'],
    ['1980-05-05', '2024-03-03', 'year', '1981-01-01', '2023-01-01'],
  ])('from %s to %s', (first, last, unit, from, to) => {
    const buckets = bucketsOf(first, last, false);
    expect([buckets?.unit, buckets?.starts[0], buckets?.starts.at(-1)]).toEqual([unit, from, to]);
  });

  it('leave out days that may have begun before the first time', () => {
    expect(bucketsOf('2024-01-01', '2024-01-20', true)?.starts.length).toBe(18);
    expect(bucketsOf('2024-01-01', '2024-01-03', false)).toBeUndefined();
  });
});
