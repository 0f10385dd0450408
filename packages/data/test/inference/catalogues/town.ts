import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day } = seeded(17);

const air_quality = times(200, (n) => ({
  id: n,
  station_id: between(1, 14),
  measured: day(2024),
  no2: between(5, 80),
  pm10: between(5, 60),
  district: between(1, 23),
}));
const bike_counts = times(180, (n) => ({
  counter_id: between(1, 9),
  day: day(2024),
  bikes: between(10, 4000),
  record_no: n,
}));
const trees = times(250, (n) => ({
  tree_id: n,
  species: one(['Tilia', 'Acer', 'Quercus', 'Platanus']),
  planted: between(1900, 2020),
  district: between(1, 23),
  height_class: between(1, 8),
  trunk_cm: between(20, 300),
}));
const licences = times(120, (n) => ({
  licence_no: `L-${2000 + n}`,
  holder: `Firm ${n}`,
  type_code: one(['GA', 'HA', 'TA']),
  street_no: between(1, 150),
  zip: String(1000 + between(1, 23) * 10),
  officer_id: between(1, 30),
}));
const budget = times(60, (n) => ({
  line: n,
  account: 1000 + n * 10,
  department_id: between(1, 12),
  amount: between(1000, 900_000),
  year: between(2020, 2025),
}));
const benches = times(40, (n) => ({
  bench_no: n,
  lat: 48 + n / 100,
  lon: 16 + n / 100,
  condition: between(1, 5),
  seats: between(2, 5),
}));
const schools = times(25, (n) => ({
  code: 900_000 + n * 7,
  name: `School ${n}`,
  district: between(1, 23),
  pupils: between(90, 800),
}));

export const town: TestCatalogue = {
  tables: { air_quality, bike_counts, trees, licences, budget, benches, schools },
  keys: {
    air_quality: 'id',
    bike_counts: 'record_no',
    trees: 'tree_id',
    licences: 'licence_no',
    budget: 'line',
    benches: 'bench_no',
    schools: 'code',
  },
  labels: { licences: 'licence_no', schools: 'name' },
  relations: [],
};
