import type { Catalogue } from './catalogue.ts';
import { OrderError } from './errors.ts';
import { format, multiply } from './money.ts';
import { lineTotal, type Order, type OrderState, unitPrice } from './order.ts';
import { orderTotals } from './totals.ts';

const WIDTH = 68;
const notInvoiceable: readonly OrderState[] = ['draft', 'cancelled'];

export function renderInvoice(order: Order, catalogue: Catalogue): string {
  if (notInvoiceable.includes(order.state)) {
    throw new OrderError('NOT_INVOICEABLE', `Order ${order.id} is ${order.state}: no invoice.`);
  }
  const { goods, discount, shipping, total } = orderTotals(order, catalogue);
  const rule = '-'.repeat(WIDTH);
  return [
    spread('ACME SPRINGS & ANVILS', `INVOICE ${order.id}`),
    spread('', order.orderedOn),
    'Bill to:',
    ...[order.customer.name, ...order.customer.address].map((line) => `  ${line}`),
    rule,
    columns('SKU', 'Description', 'Qty', 'Unit', 'Amount'),
    rule,
    ...order.lines.map((line) =>
      columns(
        line.sku,
        catalogue.find(line.sku).name,
        String(line.quantity),
        format(unitPrice(order, line)),
        format(lineTotal(order, line)),
      ),
    ),
    rule,
    spread('Goods', format(goods)),
    ...(discount ? [spread(discount.description, format(multiply(discount.amount, -1)))] : []),
    spread(`Shipping (${order.customer.zone})`, format(shipping)),
    spread('Total', format(total)),
    '',
    'All prices are net of VAT. Payable within 30 days.',
  ].join('\n');
}

function spread(left: string, right: string): string {
  return left + right.padStart(WIDTH - left.length);
}

function columns(sku: string, name: string, ...figures: readonly string[]): string {
  return sku.padEnd(8) + name.padEnd(24) + figures.map((figure) => figure.padStart(12)).join('');
}
