import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acmeCatalogue } from '#orders/catalogue.ts';
import { renderMonthlyReport } from '#orders/reports/monthly-report.ts';
import { emptyOrder, withLines } from './sample-orders.ts';

const paid = { ...withLines(emptyOrder, ['SPR-010', 2]), state: 'paid' } as const;

test('the report counts what was sold in the month, per currency', () => {
  const inDollars = withLines({ ...emptyOrder, currency: 'USD' }, ['SPR-010', 5], ['ANV-015', 1]);
  const orders = [
    paid,
    { ...inDollars, state: 'delivered' } as const,
    { ...paid, state: 'cancelled' } as const,
    { ...paid, orderedOn: '2026-03-01' },
  ];
  assert.deepEqual(renderMonthlyReport(orders, '2026-02', acmeCatalogue).split('\n'), [
    '2026-02: 2 sold',
    '  Revenue €10.30',
    '  Revenue $238.05',
    '      7 × Compression spring 10 mm',
    '      1 × Bench anvil 15 kg',
  ]);
});

test('a month without sales and a month that is none', () => {
  assert.equal(renderMonthlyReport([paid], '2026-01', acmeCatalogue), '2026-01: nothing sold.');
  assert.throws(() => renderMonthlyReport([paid], '2026-13', acmeCatalogue), {
    code: 'INVALID_MONTH',
  });
});
