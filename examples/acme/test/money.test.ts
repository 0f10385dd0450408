import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, format, money, multiply, percentOf, priceIn, subtract, sum } from '#orders/money.ts';

test('amounts add, subtract and multiply in whole cents', () => {
  assert.deepEqual(add(money(10, 'EUR'), money(20, 'EUR')), money(30, 'EUR'));
  assert.deepEqual(subtract(money(10, 'EUR'), money(25, 'EUR')), money(-15, 'EUR'));
  assert.deepEqual(multiply(money(240, 'USD'), 3), money(720, 'USD'));
  assert.deepEqual(sum([money(1, 'EUR'), money(2, 'EUR')], 'EUR'), money(3, 'EUR'));
  assert.deepEqual(sum([], 'USD'), money(0, 'USD'));
});

test('a percentage is rounded to the cent', () => {
  assert.deepEqual(percentOf(money(1050, 'EUR'), 5), money(53, 'EUR'));
  assert.deepEqual(percentOf(money(1049, 'EUR'), 5), money(52, 'EUR'));
});

test('currencies do not mix', () => {
  assert.throws(() => add(money(1, 'EUR'), money(1, 'USD')), { code: 'CURRENCY_MISMATCH' });
});

test('a fraction of a cent is refused', () => {
  assert.throws(() => money(1.5, 'EUR'), { code: 'INVALID_AMOUNT' });
});

test('a price table gives the amount of the currency', () => {
  assert.deepEqual(priceIn({ EUR: 240, USD: 265 }, 'USD'), money(265, 'USD'));
});

test('amounts are written with their symbol, thousands and sign', () => {
  assert.equal(format(money(123456, 'EUR')), '€1,234.56');
  assert.equal(format(money(-5, 'USD')), '-$0.05');
});
