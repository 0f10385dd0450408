import type { Catalogue } from './catalogue.ts';
import { bestDiscount, type Discount } from './discounts.ts';
import { add, type Money, subtract } from './money.ts';
import { type Order, subtotal } from './order.ts';
import { shippingCost } from './shipping.ts';

export interface OrderTotals {
  readonly goods: Money;
  readonly discount: Discount | undefined;
  readonly shipping: Money;
  readonly total: Money;
}

export function orderWeight(order: Order, catalogue: Catalogue): number {
  return order.lines.reduce(
    (grams, line) => grams + catalogue.find(line.sku).weightGrams * line.quantity,
    0,
  );
}

export function orderTotals(order: Order, catalogue: Catalogue): OrderTotals {
  const goods = subtotal(order);
  const discount = bestDiscount(order);
  const shipping = shippingCost(orderWeight(order, catalogue), order.customer.zone, order.currency);
  const discounted = discount ? subtract(goods, discount.amount) : goods;
  return { goods, discount, shipping, total: add(discounted, shipping) };
}
