import { type Money, percentOf, sum } from './money.ts';
import { lineTotal, type Order, subtotal } from './order.ts';

interface DiscountRule {
  readonly description: string;
  amountFor(order: Order): Money;
}

export interface Discount {
  readonly description: string;
  readonly amount: Money;
}

const BULK_QUANTITY = 100;
const LARGE_ORDER_CENTS = 500_000;

const rules: readonly DiscountRule[] = [
  {
    description: 'Trade customer 5%',
    amountFor: (order) => percentOf(subtotal(order), order.customer.isTrade ? 5 : 0),
  },
  {
    description: `Bulk 8% on ${BULK_QUANTITY} or more of a kind`,
    amountFor(order) {
      const bulkLines = order.lines.filter((line) => line.quantity >= BULK_QUANTITY);
      const prices = bulkLines.map((line) => lineTotal(order, line));
      return percentOf(sum(prices, order.currency), 8);
    },
  },
  {
    description: 'Large order 6%',
    amountFor(order) {
      const price = subtotal(order);
      return percentOf(price, price.cents >= LARGE_ORDER_CENTS ? 6 : 0);
    },
  },
];

/** Discounts do not add up: the customer gets the one that is worth most. */
export function bestDiscount(order: Order): Discount | undefined {
  return rules
    .map((rule) => ({ description: rule.description, amount: rule.amountFor(order) }))
    .filter((discount) => discount.amount.cents > 0)
    .sort((left, right) => right.amount.cents - left.amount.cents)[0];
}
