import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some } = seeded(1);

const CITIES = ['Bergen', 'Lyon', 'Porto', 'Graz', 'Turku', 'Malmö', 'Gent', 'Brno'];
const FIRST = ['Ada', 'Bo', 'Cleo', 'Dag', 'Eva', 'Finn', 'Gro', 'Hugo', 'Ida', 'Jon'];
const LAST = ['Aalto', 'Berg', 'Costa', 'Dahl', 'Egger', 'Falk', 'Grau', 'Holm'];

const customers = times(40, (n) => ({
  customer_no: `C-${1000 + n}`,
  name: `${FIRST[n % 10]} ${LAST[n % 8]}`,
  email: n % 9 === 0 ? null : `customer${n}@example.com`,
  postcode: String(between(1000, 9999)).padStart(5, '0'),
  city: one(CITIES),
  since: day(2020),
}));
const products = times(18, (n) => ({
  sku: `SKU-${n * 7 + 100}`,
  title: `Thing ${n}`,
  category_id: between(1, 4),
  unit_price: between(100, 9000) / 100,
  stock: between(0, 60),
}));
const categories = times(4, (n) => ({
  id: n,
  name: ['Lamps', 'Chairs', 'Rugs', 'Desks'][n - 1] ?? '',
}));
const orders = times(120, (n) => ({
  order_no: 5000 + n,
  buyer: one(customers).customer_no,
  order_date: day(2025),
  status: one(['new', 'paid', 'sent']),
  note: n % 11 === 0 ? `Leave it at door ${n}` : null,
  total: between(500, 90_000) / 100,
}));
const order_lines = orders.flatMap(({ order_no }) =>
  some(products, between(1, 4)).map(({ sku }, at) => ({
    order_no,
    line_no: at + 1,
    product_sku: sku,
    quantity: between(1, 5),
    price: between(100, 9000) / 100,
  })),
);
const tags = ['new', 'sale', 'wood', 'metal', 'outdoor', 'gift'].map((tag, at) => ({
  tag_id: at + 1,
  tag,
}));
const product_tags = products.flatMap(({ sku }) =>
  some(tags, between(0, 3)).map(({ tag_id }) => ({ product_sku: sku, tag_id })),
);

export const shop: TestCatalogue = {
  tables: { customers, products, categories, orders, order_lines, tags, product_tags },
  keys: {
    customers: 'customer_no',
    products: 'sku',
    categories: 'id',
    orders: 'order_no',
    order_lines: 'order_no + line_no',
    tags: 'tag_id',
    product_tags: 'product_sku + tag_id',
  },
  labels: { customers: 'name', products: 'title', categories: 'name', tags: 'tag' },
  relations: [
    'orders.buyer → customers.customer_no',
    'order_lines.order_no → orders.order_no',
    'order_lines.product_sku → products.sku',
    'product_tags.product_sku → products.sku',
    'product_tags.tag_id → tags.tag_id',
    'products.category_id → categories.id',
  ],
  links: ['product_tags'],
};
