import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

// What somebody writes without any engine: all records as objects in memory, and loops over them.
const files = JSON.parse(process.argv[2]);
const sales = await read(files.sales);
const customers = await read(files.customers);
const byId = new Map(customers.map((customer) => [customer.id, customer]));

async function read(file) {
  const records = [];
  let names;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (file.endsWith('.ndjson')) records.push(JSON.parse(line));
    else if (names) records.push(recordOf(names, line.split(',')));
    else names = line.split(',');
  }
  return records;
}

function recordOf(names, cells) {
  const record = {};
  for (const [at, name] of names.entries()) record[name] = cellOf(name, cells[at]);
  return record;
}

function cellOf(name, cell) {
  if (['id', 'customer_id', 'quantity', 'amount'].includes(name)) return Number(cell);
  return name === 'is_gift' ? cell === 'true' : cell;
}

function grouped(records, keysOf) {
  const groups = new Map();
  for (const record of records) {
    const keys = keysOf(record);
    const name = keys.join('\n');
    const group = groups.get(name);
    if (group) {
      group.count += 1;
      group.total += record.amount;
    } else groups.set(name, { keys, count: 1, total: record.amount });
  }
  return [...groups.values()]
    .map(({ keys, count, total }) => [...keys, count, total])
    .sort(([a, b], [c, d]) => (a === c ? compare(b, d) : compare(a, c)));
}

const compare = (a, b) => (a < b ? -1 : Number(a > b));

function page(records) {
  return [[[records.length]], records.slice(0, 20).map((record) => Object.values(record))];
}

const isDear = ({ status, amount }) => status === 'returned' && amount >= 990;

const answers = {
  count: () => [[[sales.length]]],
  group: () => [grouped(sales, ({ status, channel }) => [status, channel])],
  filter: () => [
    sales
      .filter((sale) => isDear(sale) && sale.code < '001500' && !sale.is_gift)
      .slice(0, 50)
      .map(({ id, code, amount }) => [id, code, amount]),
  ],
  join: () => [
    grouped(
      sales.filter((sale) => byId.get(sale.customer_id).segment === 'business'),
      ({ customer_id }) => [byId.get(customer_id).city],
    ),
  ],
  top: () => [
    [...sales]
      .sort((a, b) => b.amount - a.amount || a.id - b.id)
      .slice(0, 10)
      .map(({ id, customer_id, amount }) => [id, customer_id, amount]),
  ],
  'search by filter': () => page(sales.filter(isDear)),
  'search by relation': () =>
    page(sales.filter(({ customer_id }) => byId.get(customer_id).city === 'Lisbon')),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { name } = JSON.parse(line);
  const begun = performance.now();
  const rows = answers[name]();
  const ms = performance.now() - begun;
  process.stdout.write(`${JSON.stringify({ pid: process.pid, ms, rows })}\n`);
}
