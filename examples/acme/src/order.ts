import type { Catalogue } from './catalogue.ts';
import { OrderError } from './errors.ts';
import { type Currency, type Money, money, multiply, priceIn, sum } from './money.ts';
import type { ShippingZone } from './shipping.ts';

const nextStates = {
  draft: ['placed', 'cancelled'],
  placed: ['paid', 'cancelled'],
  paid: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: ['returned'],
  returned: [],
  cancelled: [],
} as const;

export type OrderState = keyof typeof nextStates;
export const orderStates = Object.keys(nextStates) as readonly OrderState[];

export interface Customer {
  readonly name: string;
  readonly address: readonly string[];
  readonly zone: ShippingZone;
  readonly isTrade: boolean;
}

export interface OrderLine {
  readonly sku: string;
  readonly quantity: number;
  /** The price on the day of the order: a later price change must not alter it. */
  readonly unitCents: number;
}

export interface Order {
  readonly id: string;
  /** A calendar day, as YYYY-MM-DD. */
  readonly orderedOn: string;
  readonly state: OrderState;
  readonly currency: Currency;
  readonly customer: Customer;
  readonly lines: readonly OrderLine[];
}

export function createOrder(
  details: Pick<Order, 'id' | 'orderedOn' | 'currency' | 'customer'>,
): Order {
  return { ...details, state: 'draft', lines: [] };
}

export function addLine(order: Order, catalogue: Catalogue, sku: string, quantity: number): Order {
  if (order.state !== 'draft') {
    throw new OrderError(
      'ORDER_LOCKED',
      `Order ${order.id} is ${order.state}; only drafts change.`,
    );
  }
  if (!Number.isSafeInteger(quantity) || quantity < 1) {
    throw new OrderError('INVALID_QUANTITY', `Quantity must be 1 or more, not ${quantity}.`);
  }
  const unitCents = priceIn(catalogue.find(sku).price, order.currency).cents;
  const existing = order.lines.find((line) => line.sku === sku);
  const line = { sku, quantity: quantity + (existing?.quantity ?? 0), unitCents };
  const lines = existing
    ? order.lines.map((other) => (other === existing ? line : other))
    : [...order.lines, line];
  return { ...order, lines };
}

export function canMove(from: OrderState, to: OrderState): boolean {
  const allowed: readonly OrderState[] = nextStates[from];
  return allowed.includes(to);
}

export function moveTo(order: Order, state: OrderState, catalogue: Catalogue): Order {
  if (!canMove(order.state, state)) {
    const allowed = nextStates[order.state].join(' or ') || 'nothing';
    throw new OrderError(
      'ILLEGAL_TRANSITION',
      `Order ${order.id} is ${order.state}; it can become ${allowed}, not ${state}.`,
    );
  }
  if (state === 'placed') requirePlaceable(order, catalogue);
  return { ...order, state };
}

export function unitPrice(order: Order, line: OrderLine): Money {
  return money(line.unitCents, order.currency);
}

export function lineTotal(order: Order, line: OrderLine): Money {
  return multiply(unitPrice(order, line), line.quantity);
}

export function subtotal(order: Order): Money {
  return sum(
    order.lines.map((line) => lineTotal(order, line)),
    order.currency,
  );
}

function requirePlaceable(order: Order, catalogue: Catalogue): void {
  if (order.lines.length === 0) {
    throw new OrderError('EMPTY_ORDER', `Order ${order.id} has no lines; add one first.`);
  }
  for (const { sku, quantity } of order.lines) {
    const { name, stock } = catalogue.find(sku);
    if (quantity > stock) {
      throw new OrderError('OUT_OF_STOCK', `${quantity} × ${name} ordered, ${stock} in stock.`);
    }
  }
}
