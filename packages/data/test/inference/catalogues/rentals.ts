import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some } = seeded(71);

const country = times(20, (n) => ({ country_id: n, country: `Land ${n}` }));
const city = times(60, (n) => ({ city_id: n, city: `Town ${n}`, country_id: between(1, 20) }));
const address = times(110, (n) => ({
  address_id: n,
  address: `${n} Mill Road`,
  district: one(['North', 'South', 'East']),
  city_id: between(1, 60),
  postal_code: String(between(10_000, 99_999)),
  phone: String(between(100_000, 999_999)),
}));
const store = times(2, (n) => ({ store_id: n, manager_staff_id: n, address_id: n }));
const staff = times(5, (n) => ({
  staff_id: n,
  first_name: one(['Mike', 'Jon', 'Ann']),
  last_name: `Hill ${n}`,
  address_id: 2 + n,
  store_id: 1 + (n % 2),
  username: `user${n}`,
}));
const customer = times(90, (n) => ({
  customer_id: n,
  store_id: between(1, 2),
  first_name: one(['Mary', 'Lisa', 'Tom', 'Karl']),
  last_name: `Reed ${n}`,
  email: `c${n}@example.org`,
  address_id: 10 + n,
  active: 1,
}));
const language = times(6, (n) => ({ language_id: n, name: `Tongue ${n}` }));
const film = times(100, (n) => ({
  film_id: n,
  title: `Film ${n}`,
  release_year: between(1990, 2020),
  language_id: between(1, 6),
  original_language_id: n % 9 === 0 ? between(1, 6) : null,
  rental_duration: between(3, 7),
  length: between(60, 180),
  rating: one(['G', 'PG', 'R']),
}));
const actor = times(70, (n) => ({
  actor_id: n,
  first_name: `Penny ${n % 30}`,
  last_name: `Lane ${n}`,
}));
const film_actor = film.flatMap(({ film_id }) =>
  some(actor, between(2, 5)).map(({ actor_id }) => ({
    actor_id,
    film_id,
    last_update: '2006-02-15',
  })),
);
const category = times(8, (n) => ({ category_id: n, name: `Genre ${n}` }));
const film_category = film.map(({ film_id }) => ({ film_id, category_id: between(1, 8) }));
const inventory = times(220, (n) => ({
  inventory_id: n,
  film_id: between(1, 100),
  store_id: between(1, 2),
}));
const rental = times(400, (n) => ({
  rental_id: n,
  rental_date: day(2025),
  inventory_id: between(1, 220),
  customer_id: between(1, 90),
  staff_id: between(1, 5),
}));
const payment = times(380, (n) => ({
  payment_id: n,
  customer_id: between(1, 90),
  staff_id: between(1, 5),
  rental_id: n + 5,
  amount: between(99, 999) / 100,
}));

export const rentals: TestCatalogue = {
  tables: {
    country,
    city,
    address,
    store,
    staff,
    customer,
    language,
    film,
    actor,
    film_actor,
    category,
    film_category,
    inventory,
    rental,
    payment,
  },
  keys: {
    country: 'country_id',
    city: 'city_id',
    address: 'address_id',
    store: 'store_id',
    staff: 'staff_id',
    customer: 'customer_id',
    language: 'language_id',
    film: 'film_id',
    actor: 'actor_id',
    film_actor: 'actor_id + film_id',
    category: 'category_id',
    film_category: 'film_id',
    inventory: 'inventory_id',
    rental: 'rental_id',
    payment: 'payment_id',
  },
  labels: {
    country: 'country',
    city: 'city',
    address: 'address',
    staff: 'last_name',
    customer: 'last_name',
    language: 'name',
    film: 'title',
    actor: 'last_name',
    category: 'name',
  },
  relations: [
    'city.country_id → country.country_id',
    'address.city_id → city.city_id',
    'store.manager_staff_id → staff.staff_id',
    'store.address_id → address.address_id',
    'staff.address_id → address.address_id',
    'staff.store_id → store.store_id',
    'customer.store_id → store.store_id',
    'customer.address_id → address.address_id',
    'film.language_id → language.language_id',
    'film.original_language_id → language.language_id',
    'film_actor.actor_id → actor.actor_id',
    'film_actor.film_id → film.film_id',
    'film_category.film_id → film.film_id',
    'film_category.category_id → category.category_id',
    'inventory.film_id → film.film_id',
    'inventory.store_id → store.store_id',
    'rental.inventory_id → inventory.inventory_id',
    'rental.customer_id → customer.customer_id',
    'rental.staff_id → staff.staff_id',
    'payment.customer_id → customer.customer_id',
    'payment.staff_id → staff.staff_id',
    'payment.rental_id → rental.rental_id',
  ],
  links: ['film_actor', 'film_category'],
};
