import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one } = seeded(14);

const dim_date = times(60, (n) => ({
  date_key: 20_240_000 + (n <= 31 ? 100 + n : 200 + n - 31),
  weekday: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][n % 7] ?? '',
  is_holiday: n % 10 === 0,
}));
const dim_product = times(40, (n) => ({
  product_key: n,
  product_name: `Product ${n}`,
  brand: one(['Uno', 'Duo']),
  list_price: n * 1.5,
}));
const dim_store = times(12, (n) => ({
  store_key: n,
  store_name: `Store ${n}`,
  region: one(['N', 'S']),
  opened_year: between(1990, 2020),
}));
const dim_customer = times(90, (n) => ({
  customer_key: n,
  loyalty_id: `L${10_000 + n * 13}`,
  segment: one(['gold', 'blue']),
}));
const fact_sales = times(600, () => ({
  date_key: one(dim_date).date_key,
  product_key: between(1, 40),
  store_key: between(1, 12),
  customer_key: between(1, 90),
  units: between(1, 9),
  amount: between(100, 9000) / 100,
}));
const fact_inventory = dim_store.flatMap(({ store_key }) =>
  dim_product.map(({ product_key }) => ({
    snapshot_date_key: 20_240_131,
    store_key,
    product_key,
    on_hand: between(0, 300),
    reorder_level: between(5, 40),
  })),
);
const fact_visits = times(200, (n) => ({
  visit_id: n,
  loyalty_id: one(dim_customer).loyalty_id,
  store_key: between(1, 12),
  entry_date_key: one(dim_date).date_key,
  minutes: between(2, 90),
}));

export const warehouse: TestCatalogue = {
  tables: {
    dim_date,
    dim_product,
    dim_store,
    dim_customer,
    fact_sales,
    fact_inventory,
    fact_visits,
  },
  keys: {
    dim_date: 'date_key',
    dim_product: 'product_key',
    dim_store: 'store_key',
    dim_customer: 'customer_key',
    fact_sales: '',
    fact_inventory: 'store_key + product_key',
    fact_visits: 'visit_id',
  },
  labels: { dim_product: 'product_name', dim_store: 'store_name' },
  relations: [
    'fact_sales.date_key → dim_date.date_key',
    'fact_sales.product_key → dim_product.product_key',
    'fact_sales.store_key → dim_store.store_key',
    'fact_sales.customer_key → dim_customer.customer_key',
    'fact_inventory.snapshot_date_key → dim_date.date_key',
    'fact_inventory.store_key → dim_store.store_key',
    'fact_inventory.product_key → dim_product.product_key',
    'fact_visits.loyalty_id → dim_customer.loyalty_id',
    'fact_visits.store_key → dim_store.store_key',
    'fact_visits.entry_date_key → dim_date.date_key',
  ],
};
