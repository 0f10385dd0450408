import { catalogueOfTables } from '../query/catalogue-of-tables.ts';
import { createNumbers, day, recordsSql, round } from './records.ts';

const REGIONS = ['north', 'south', 'east'];
/** Between these days hardly anything was sold, and on a day in May 2024 far too much. */
const GAP = { from: day(365 + 31), to: day(365 + 59) };

/** Orders that grow in number over three years, of few large and many small customers. */
export function shopRecords() {
  const numbers = createNumbers(7);
  const customers = Array.from({ length: 40 }, (_, at) => ({
    id: `C${100 + at}`,
    name: `Customer ${at}`,
    region: REGIONS[at % 3] ?? '',
    // What they buy at once depends on how large they are.
    employees: 5 + at * 3,
  }));
  const orders = Array.from({ length: 1500 }, (_, at) => {
    const isLarge = numbers.uniform() < 0.5;
    const customer = isLarge ? 32 + numbers.integer(8) : numbers.integer(40);
    // More of them later: the square root of something even.
    const date = day(Math.floor(Math.sqrt(numbers.uniform()) * 1096));
    const size = 1 + customer / 8;
    return {
      id: at + 1,
      customer: `C${100 + customer}`,
      amount: round(20 * size * Math.exp(0.3 * numbers.normal())),
      parcels: 1 + numbers.integer(6),
      ordered: date,
      delivery: round(2 + numbers.integer(3) + Number(date.slice(0, 4)) - 2023, 1),
    };
  }).filter(({ ordered, id }) => ordered < GAP.from || ordered > GAP.to || id % 40 === 0);
  return { customers, orders };
}

export function createShop() {
  const { customers, orders } = shopRecords();
  return catalogueOfTables(
    [
      {
        table: 'orders',
        sql: recordsSql(
          {
            id: 'BIGINT',
            customer: 'VARCHAR',
            amount: 'DECIMAL(18,2)',
            parcels: 'BIGINT',
            ordered: 'TIMESTAMP',
            delivery: 'DOUBLE',
          },
          orders,
        ),
      },
      {
        table: 'customers',
        sql: recordsSql(
          { id: 'VARCHAR', name: 'VARCHAR', region: 'VARCHAR', employees: 'BIGINT' },
          customers,
        ),
      },
    ],
    [
      {
        name: 'buyer',
        from: 'orders',
        field: 'customer',
        to: 'customers',
        toField: 'id',
        cardinality: 'one',
        found: orders.length,
        dangling: 0,
      },
    ],
  );
}
