import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, next } = seeded(6);

const weather = times(300, () => ({
  station: one(['Oslo', 'Wien', 'Bern', 'Rome']),
  day: day(2024),
  temperature: between(-200, 350) / 10,
  rain_mm: between(0, 40),
  wind: between(0, 12),
}));
const survey = times(150, (n) => ({
  id: n,
  age: between(18, 90),
  q1: between(1, 5),
  q2: between(1, 5),
  q3: between(1, 5),
  group: between(1, 3),
  zip: between(1000, 9999),
  comment: next() < 0.4 ? `Comment ${n} says a thing or two about the service` : null,
}));
const measurements = times(500, (n) => ({
  id: n,
  sample: between(1, 40),
  run_no: between(1, 10),
  value: between(0, 10_000) / 1000,
  operator: one(['ab', 'cd', 'ef']),
}));
const elections = times(60, (n) => ({
  id: n,
  year: 1960 + n,
  turnout: between(40, 90),
  seats: between(80, 200),
  winner: one(['Left', 'Right', 'Centre']),
}));
const books = times(70, (n) => ({
  id: n,
  title: `Book ${n}`,
  year: between(1900, 2024),
  pages: between(80, 900),
  rating: between(1, 5),
  language: one(['de', 'en', 'fr']),
}));
const songs = times(90, (n) => ({
  id: n,
  name: `Song ${n}`,
  seconds: between(100, 400),
  track: between(1, 15),
  plays: between(0, 9000),
  customer_id: between(1, 50),
}));

export const unrelated: TestCatalogue = {
  tables: { weather, survey, measurements, elections, books, songs },
  keys: {
    weather: '',
    survey: 'id',
    measurements: 'id',
    elections: 'id',
    books: 'id',
    songs: 'id',
  },
  labels: { books: 'title', songs: 'name' },
  relations: [],
};
