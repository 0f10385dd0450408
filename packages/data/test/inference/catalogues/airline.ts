import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some } = seeded(12);

const CODES = 'OSL ARN CPH HEL KEF LHR CDG AMS FRA MUC VIE ZRH'.split(' ');
const airports = CODES.map((iata, at) => ({
  iata,
  airport: `${iata} International`,
  city: `City ${at}`,
  country: one(['NO', 'SE', 'DE', 'FR']),
  elevation_ft: between(10, 1500),
}));
const carriers = ['SK', 'DY', 'LH', 'AF', 'KL'].map((code, at) => ({
  code,
  name: `Carrier ${at}`,
  founded: 1930 + at,
}));
const aircraft_types = ['A320', 'A321', 'B738', 'E190', 'AT76'].map((type_code) => ({
  type_code,
  seats: between(70, 200),
}));
const aircraft = times(24, (n) => ({
  tail_number: `LN-${String.fromCharCode(64 + n)}${one(['AB', 'CD', 'EF'])}`,
  type: one(aircraft_types).type_code,
  operator: one(carriers).code,
  delivered: day(2015),
}));
const flights = times(140, (n) => ({
  flight_id: n,
  flight_no: `${one(carriers).code}${between(100, 999)}`,
  carrier: one(carriers).code,
  origin: one(CODES),
  destination: one(CODES),
  tail_number: one(aircraft).tail_number,
  flight_date: day(2025),
  delay_minutes: between(0, 90),
}));
const crew = times(40, (n) => ({
  staff_no: 4000 + n,
  name: `Crew ${n}`,
  rank: one(['CPT', 'FO', 'CC']),
  base: one(CODES.slice(0, 5)),
}));
const crew_assignments = flights.flatMap(({ flight_id }) =>
  some(crew, between(2, 4)).map(({ staff_no }) => ({
    flight_id,
    staff_no,
    duty: one(['fly', 'cabin']),
  })),
);

export const airline: TestCatalogue = {
  tables: { airports, carriers, aircraft_types, aircraft, flights, crew, crew_assignments },
  keys: {
    airports: 'iata',
    carriers: 'code',
    aircraft_types: 'type_code',
    aircraft: 'tail_number',
    flights: 'flight_id',
    crew: 'staff_no',
    crew_assignments: 'flight_id + staff_no',
  },
  labels: {
    airports: 'airport',
    carriers: 'name',
    aircraft_types: 'type_code',
    crew: 'name',
    flights: 'flight_no',
  },
  relations: [
    'aircraft.type → aircraft_types.type_code',
    'aircraft.operator → carriers.code',
    'flights.carrier → carriers.code',
    'flights.origin → airports.iata',
    'flights.destination → airports.iata',
    'flights.tail_number → aircraft.tail_number',
    'crew.base → airports.iata',
    'crew_assignments.flight_id → flights.flight_id',
    'crew_assignments.staff_no → crew.staff_no',
  ],
  links: ['crew_assignments'],
};
