import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acmeCatalogue, canMove, money, moveTo, orderStates, subtotal } from '../src/index.ts';
import { emptyOrder, withLines } from './sample-orders.ts';

test('the subtotal is the sum of the lines', () => {
  const order = withLines(emptyOrder, ['SPR-010', 10], ['ANV-015', 2]);
  assert.deepEqual(subtotal(order), money(10 * 240 + 2 * 18900, 'EUR'));
});

test('an order in dollars takes the dollar prices', () => {
  const order = withLines({ ...emptyOrder, currency: 'USD' }, ['SPR-010', 10]);
  assert.deepEqual(subtotal(order), money(2650, 'USD'));
});

test('adding the same product twice makes one line', () => {
  const order = withLines(emptyOrder, ['SPR-010', 10], ['SPR-010', 5]);
  assert.deepEqual(order.lines, [{ sku: 'SPR-010', quantity: 15, unitCents: 240 }]);
});

test('unknown products and impossible quantities are refused', () => {
  assert.throws(() => withLines(emptyOrder, ['ROC-001', 1]), { code: 'UNKNOWN_PRODUCT' });
  assert.throws(() => withLines(emptyOrder, ['SPR-010', 0]), { code: 'INVALID_QUANTITY' });
  assert.throws(() => withLines(emptyOrder, ['SPR-010', 1.5]), { code: 'INVALID_QUANTITY' });
});

test('an order goes from draft to delivered', () => {
  const states = ['placed', 'paid', 'shipped', 'delivered'] as const;
  const draft = withLines(emptyOrder, ['SPR-010', 1]);
  const delivered = states.reduce((order, state) => moveTo(order, state, acmeCatalogue), draft);
  assert.equal(delivered.state, 'delivered');
  assert.equal(draft.state, 'draft');
});

test('an illegal transition says what is allowed', () => {
  const order = withLines(emptyOrder, ['SPR-010', 1]);
  assert.throws(() => moveTo(order, 'shipped', acmeCatalogue), {
    code: 'ILLEGAL_TRANSITION',
    message: 'Order T-1 is draft; it can become placed or cancelled, not shipped.',
  });
});

test('nothing leads out of cancelled and returned', () => {
  for (const state of orderStates) {
    assert.equal(canMove('cancelled', state), false);
    assert.equal(canMove('returned', state), false);
  }
});

test('an order is placed only with lines and enough stock', () => {
  const tooMany = withLines(emptyOrder, ['ANV-150', 4]);
  assert.throws(() => moveTo(emptyOrder, 'placed', acmeCatalogue), { code: 'EMPTY_ORDER' });
  assert.throws(() => moveTo(tooMany, 'placed', acmeCatalogue), { code: 'OUT_OF_STOCK' });
});

test('a placed order takes no more lines', () => {
  const placed = moveTo(withLines(emptyOrder, ['SPR-010', 1]), 'placed', acmeCatalogue);
  assert.throws(() => withLines(placed, ['SPR-010', 1]), { code: 'ORDER_LOCKED' });
});
