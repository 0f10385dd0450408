import type { Catalogue } from '@acme/orders/catalogue.ts';
import type { Order, OrderState } from '@acme/orders/order.ts';
import { OrderError } from '#orders/errors.ts';
import { currencies, format, sum } from '#orders/money.ts';
import { orderTotals } from '#orders/totals.ts';

const countsAsSold: readonly OrderState[] = ['paid', 'shipped', 'delivered'];

export function renderMonthlyReport(
  orders: readonly Order[],
  month: string,
  catalogue: Catalogue,
): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
    throw new OrderError('INVALID_MONTH', `Write the month as YYYY-MM, not ${month}.`);
  }
  const sold = orders.filter(
    (order) => order.orderedOn.startsWith(month) && countsAsSold.includes(order.state),
  );
  if (sold.length === 0) return `${month}: nothing sold.`;
  return [
    `${month}: ${sold.length} sold`,
    ...revenueLines(sold, catalogue),
    ...quantityLines(sold, catalogue),
  ].join('\n');
}

function revenueLines(orders: readonly Order[], catalogue: Catalogue): string[] {
  return currencies.flatMap((currency) => {
    const totals = orders
      .filter((order) => order.currency === currency)
      .map((order) => orderTotals(order, catalogue).total);
    return totals.length === 0 ? [] : [`  Revenue ${format(sum(totals, currency))}`];
  });
}

function quantityLines(orders: readonly Order[], catalogue: Catalogue): string[] {
  const bySku = new Map<string, number>();
  for (const { sku, quantity } of orders.flatMap((order) => order.lines)) {
    bySku.set(sku, (bySku.get(sku) ?? 0) + quantity);
  }
  return [...bySku]
    .sort(([, left], [, right]) => right - left)
    .map(([sku, quantity]) => `  ${String(quantity).padStart(5)} × ${catalogue.find(sku).name}`);
}
