import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acmeCatalogue, bestDiscount, money, orderTotals, shippingCost } from '../src/index.ts';
import { emptyOrder, tradeOrder, withLines } from './sample-orders.ts';

test('a small order of a private customer has no discount', () => {
  assert.equal(bestDiscount(withLines(emptyOrder, ['SPR-010', 99])), undefined);
});

test('a trade customer gets 5%', () => {
  assert.deepEqual(bestDiscount(withLines(tradeOrder, ['ANV-015', 1])), {
    description: 'Trade customer 5%',
    amount: money(945, 'EUR'),
  });
});

test('the bulk discount counts only the lines that reach the quantity', () => {
  const order = withLines(emptyOrder, ['SPR-010', 100], ['SPR-025', 99]);
  assert.deepEqual(bestDiscount(order)?.amount, money(1920, 'EUR'));
});

test('a large order starts at exactly 5,000', () => {
  const almost = withLines(emptyOrder, ['ANV-060', 7], ['ANV-015', 2]);
  const line = { sku: 'SPR-010', quantity: 1, unitCents: 500_000 - 7 * 64900 - 2 * 18900 };
  const exactly = { ...almost, lines: [...almost.lines, line] };
  assert.equal(bestDiscount(almost), undefined);
  assert.deepEqual(bestDiscount(exactly)?.amount, money(30_000, 'EUR'));
});

test('of several discounts the best one applies, alone', () => {
  assert.deepEqual(bestDiscount(withLines(tradeOrder, ['SPR-010', 200])), {
    description: 'Bulk 8% on 100 or more of a kind',
    amount: money(3840, 'EUR'),
  });
});

test('shipping charges each started kilogram of the zone', () => {
  assert.deepEqual(shippingCost(1, 'domestic', 'EUR'), money(490 + 60, 'EUR'));
  assert.deepEqual(shippingCost(2001, 'eu', 'EUR'), money(1190 + 3 * 140, 'EUR'));
  assert.deepEqual(shippingCost(2000, 'world', 'USD'), money(3200 + 2 * 460, 'USD'));
  assert.deepEqual(shippingCost(0, 'world', 'USD'), money(0, 'USD'));
});

test('what a parcel cannot carry pays for a pallet', () => {
  assert.deepEqual(shippingCost(70_000, 'domestic', 'EUR'), money(490 + 70 * 60, 'EUR'));
  assert.deepEqual(shippingCost(70_001, 'domestic', 'EUR'), money(490 + 71 * 60 + 4500, 'EUR'));
});

test('the total is goods less discount plus shipping', () => {
  const { goods, discount, shipping, total } = orderTotals(
    withLines(tradeOrder, ['ANV-015', 2]),
    acmeCatalogue,
  );
  assert.deepEqual(goods, money(37_800, 'EUR'));
  assert.deepEqual(discount?.amount, money(1890, 'EUR'));
  assert.deepEqual(shipping, money(490 + 30 * 60, 'EUR'));
  assert.deepEqual(total, money(37_800 - 1890 + 2290, 'EUR'));
});
