import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { OrderError } from './errors.ts';
import { currencies } from './money.ts';
import { type Customer, type Order, type OrderLine, orderStates } from './order.ts';
import { shippingZones } from './shipping.ts';

export interface OrdersRepository {
  list(): Promise<readonly Order[]>;
  get(id: string): Promise<Order>;
  save(order: Order): Promise<void>;
}

export function createOrdersRepository(file: string): OrdersRepository {
  let lastSave: Promise<void> = Promise.resolve();

  async function list(): Promise<readonly Order[]> {
    const text = await readIfPresent(file);
    return text === undefined ? [] : parseOrders(text, file);
  }

  async function replace(order: Order): Promise<void> {
    const orders = await list();
    const isKnown = orders.some((other) => other.id === order.id);
    const next = isKnown
      ? orders.map((other) => (other.id === order.id ? order : other))
      : [...orders, order];
    await writeAtomically(file, `${JSON.stringify(next, null, 2)}\n`);
  }

  return {
    list,
    async get(id) {
      const order = (await list()).find((candidate) => candidate.id === id);
      if (!order) throw new OrderError('UNKNOWN_ORDER', `No order ${id} in ${file}.`);
      return order;
    },
    save(order) {
      // One after the other: two saves that read the same list would lose one of the orders.
      const save = lastSave.then(() => replace(order));
      lastSave = save.catch(() => {});
      return save;
    },
  };
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeAtomically(file: string, text: string): Promise<void> {
  // Next to the target, because a rename is atomic only within one file system.
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

function parseOrders(text: string, file: string): readonly Order[] {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (cause) {
    throw new OrderError('INVALID_FILE', `${file} is not JSON.`, { cause });
  }
  if (!Array.isArray(entries)) throw new OrderError('INVALID_FILE', `${file} holds no list.`);
  return entries.map((entry: unknown, index) => {
    if (isOrder(entry)) return entry;
    throw new OrderError('INVALID_FILE', `${file}: entry ${index + 1} is not a valid order.`);
  });
}

function isOrder(value: unknown): value is Order {
  const order = value as Partial<Order> | null;
  return (
    typeof order?.id === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(String(order.orderedOn)) &&
    isOneOf(orderStates, order.state) &&
    isOneOf(currencies, order.currency) &&
    isCustomer(order.customer) &&
    Array.isArray(order.lines) &&
    order.lines.every(isOrderLine)
  );
}

function isCustomer(value: unknown): value is Customer {
  const customer = value as Partial<Customer> | null | undefined;
  return (
    typeof customer?.name === 'string' &&
    Array.isArray(customer.address) &&
    isOneOf(shippingZones, customer.zone) &&
    typeof customer.isTrade === 'boolean'
  );
}

function isOrderLine(value: unknown): value is OrderLine {
  const line = value as Partial<OrderLine> | null;
  return (
    typeof line?.sku === 'string' &&
    Number.isSafeInteger(line.quantity) &&
    Number.isSafeInteger(line.unitCents)
  );
}

function isOneOf(allowed: readonly unknown[], value: unknown): boolean {
  return allowed.includes(value);
}
