import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { acmeCatalogue } from './catalogue.ts';
import { OrderError } from './errors.ts';
import { renderInvoice } from './invoice.ts';
import { format } from './money.ts';
import type { Order } from './order.ts';
import { createOrdersRepository, type OrdersRepository } from './orders-repository.ts';
import { orderTotals, orderWeight } from './totals.ts';

const USAGE = `Usage: acme-orders [--file <orders.json>] <command>

  list               all orders, one per line
  show <id>          one order
  invoice <id>       the invoice of an order
  report <YYYY-MM>   what was sold in a month`;

class UsageError extends Error {}

async function run(args: readonly string[], orders: OrdersRepository): Promise<string> {
  const [command, subject] = args;
  switch (command) {
    case 'list':
      return (await orders.list()).map(summarise).join('\n') || 'No orders.';
    case 'show':
      return describe(await orders.get(required(subject, 'an order id')));
    case 'invoice':
      return renderInvoice(await orders.get(required(subject, 'an order id')), acmeCatalogue);
    case 'report': {
      const month = required(subject, 'a month');
      // Loaded on demand: the report is the one command that few people run.
      const { renderMonthlyReport } = await import('./reports/monthly-report.ts');
      return renderMonthlyReport(await orders.list(), month, acmeCatalogue);
    }
    default:
      throw new UsageError(command ? `Unknown command ${command}.` : 'Which command?');
  }
}

function required(value: string | undefined, what: string): string {
  if (value === undefined) throw new UsageError(`Missing: ${what}.`);
  return value;
}

function summarise(order: Order): string {
  const total = format(orderTotals(order, acmeCatalogue).total).padStart(12);
  return `${order.id}  ${order.orderedOn}  ${order.state.padEnd(9)} ${total}  ${order.customer.name}`;
}

function describe(order: Order): string {
  const kilograms = (orderWeight(order, acmeCatalogue) / 1000).toFixed(1);
  return [
    summarise(order),
    ...order.lines.map((line) => `  ${line.quantity} × ${acmeCatalogue.find(line.sku).name}`),
    `  ${kilograms} kg to ${order.customer.address.join(', ')}`,
  ].join('\n');
}

function parseCommandLine(args: string[]): { file: string; positionals: string[] } {
  const shippedFile = fileURLToPath(new URL('../data/orders.json', import.meta.url));
  try {
    const options = { file: { type: 'string', default: shippedFile } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { file: values.file, positionals };
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

try {
  const { file, positionals } = parseCommandLine(process.argv.slice(2));
  console.log(await run(positionals, createOrdersRepository(file)));
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
  } else if (error instanceof OrderError) {
    console.error(`${error.code}: ${error.message}`);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
