import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some } = seeded(81);
const letters = (count: number) =>
  Array.from({ length: count }, () => String.fromCharCode(65 + between(0, 25))).join('');

const ports = times(25, (n) => ({
  'port code': `${letters(2)}${letters(2)}${String.fromCharCode(64 + n)}`,
  'port name': `Harbour ${n}`,
  country: one(['NL', 'BE', 'DE']),
}));
const vessels = times(14, (n) => ({
  imo: 9_100_000 + n * 3217,
  'vessel name': `MV ${n}`,
  flag: one(['PA', 'LR', 'NO']),
  teu: between(800, 20_000),
}));
const voyages = times(40, (n) => ({
  'voyage no': `${one(['E', 'W'])}${200 + n}`,
  vessel: one(vessels).imo,
  'load port': one(ports)['port code'],
  'discharge port': one(ports)['port code'],
  departs: day(2025),
}));
const containers = times(90, (n) => ({
  'container no': `${letters(3)}U${6_000_000 + n * 71}`,
  'iso type': one(['22G1', '42G1', '45R1']),
  tare: between(2000, 4000),
}));
const shippers = times(18, (n) => ({
  id: n,
  company: `Shipper ${n} BV`,
  'contact email': `s${n}@example.com`,
}));
const bookings = times(120, (n) => ({
  'booking ref': `BK${70_000 + n * 3}`,
  'voyage no': one(voyages)['voyage no'],
  'shipper id': between(1, 18),
  'consignee id': between(1, 18),
  'container nos': some(containers, between(1, 3)).map((one) => one['container no']),
  'gross weight': between(1000, 26_000),
}));
const events = times(300, (n) => ({
  id: n,
  container: one(containers)['container no'],
  location: one(ports)['port code'],
  status: one(['gate in', 'loaded', 'discharged', 'gate out']),
  on: day(2025),
}));
const invoices = bookings.slice(0, 100).map((booking, at) => ({
  'invoice number': 330_000 + at,
  booking: booking['booking ref'],
  'billed to': between(1, 18),
  amount: between(10_000, 900_000) / 100,
}));

export const freight: TestCatalogue = {
  tables: { ports, vessels, voyages, containers, shippers, bookings, events, invoices },
  keys: {
    ports: 'port code',
    vessels: 'imo',
    voyages: 'voyage no',
    containers: 'container no',
    shippers: 'id',
    bookings: 'booking ref',
    events: 'id',
    invoices: 'invoice number',
  },
  labels: {
    ports: 'port name',
    vessels: 'vessel name',
    voyages: 'voyage no',
    containers: 'container no',
    bookings: 'booking ref',
  },
  relations: [
    'voyages.vessel → vessels.imo',
    'voyages.load port → ports.port code',
    'voyages.discharge port → ports.port code',
    'bookings.voyage no → voyages.voyage no',
    'bookings.shipper id → shippers.id',
    'bookings.container nos *→ containers.container no',
    'events.container → containers.container no',
    'events.location → ports.port code',
    'invoices.booking → bookings.booking ref',
  ],
};
