import type { Customer, Order } from '@acme/orders/order.ts';
import { acmeCatalogue } from '#orders/catalogue.ts';
import { addLine, createOrder } from '#orders/order.ts';

const customer: Customer = {
  name: 'Ida Ferrum, Smith',
  address: ['Forge Lane 2', '8010 Graz'],
  zone: 'domestic',
  isTrade: false,
};

export const emptyOrder = createOrder({
  id: 'T-1',
  orderedOn: '2026-02-03',
  currency: 'EUR',
  customer,
});

export const tradeOrder: Order = { ...emptyOrder, customer: { ...customer, isTrade: true } };

export function withLines(
  order: Order,
  ...lines: readonly [sku: string, quantity: number][]
): Order {
  return lines.reduce(
    (draft, [sku, quantity]) => addLine(draft, acmeCatalogue, sku, quantity),
    order,
  );
}
