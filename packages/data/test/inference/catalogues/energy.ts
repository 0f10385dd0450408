import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some, uuid } = seeded(42);

const customers = times(50, (n) => ({
  ref: `K${30_000 + n * 7}`,
  displayName: `Home ${n}`,
  zip: `0${between(100, 999)}`,
}));
const tariffs = ['day', 'night', 'flex', 'solar'].map((code, at) => ({
  code,
  centsPerKwh: 20 + at,
  validFrom: day(2024),
}));
const meters = times(70, (n) => ({
  meterId: `MTR-${between(1000, 9999)}-${n}`,
  kind: one(['gas', 'power']),
  installedOn: day(2020),
}));
const contracts = times(60, (n) => ({
  contractNumber: `CT/${2024}/${n}`,
  customerRef: one(customers).ref,
  meterIds: some(meters, between(1, 2)).map(({ meterId }) => meterId),
  tariff: one(tariffs).code,
  monthlyFee: between(500, 3000) / 100,
}));
const readings = meters.flatMap(({ meterId }) =>
  times(4, (n) => ({ meter: meterId, readOn: `2025-0${n}-01`, kwh: between(10, 900) })),
);
const technicians = times(9, (n) => ({
  employeeId: uuid(),
  name: `Tech ${n}`,
  trainedBy: null as string | null,
}));
for (const each of technicians.slice(4)) each.trainedBy = one(technicians.slice(0, 4)).employeeId;
const jobs = times(80, (n) => ({
  id: uuid(),
  meterId: one(meters).meterId,
  technician: one(technicians).employeeId,
  helpers: some(technicians, between(0, 2)).map(({ employeeId }) => employeeId),
  previousJob: null as string | null,
  state: one(['open', 'done']),
  sequence: n,
}));
for (const [at, each] of jobs.entries())
  if (at % 4 === 0 && at > 0) each.previousJob = jobs[at - 1]?.id ?? null;

export const energy: TestCatalogue = {
  tables: { customers, tariffs, meters, contracts, readings, technicians, jobs },
  keys: {
    customers: 'ref',
    tariffs: 'code',
    meters: 'meterId',
    contracts: 'contractNumber',
    readings: 'meter + readOn',
    technicians: 'employeeId',
    jobs: 'id',
  },
  labels: {
    customers: 'displayName',
    tariffs: 'code',
    contracts: 'contractNumber',
    technicians: 'name',
  },
  relations: [
    'contracts.customerRef → customers.ref',
    'contracts.meterIds *→ meters.meterId',
    'contracts.tariff → tariffs.code',
    'readings.meter → meters.meterId',
    'technicians.trainedBy → technicians.employeeId',
    'jobs.meterId → meters.meterId',
    'jobs.technician → technicians.employeeId',
    'jobs.helpers *→ technicians.employeeId',
    'jobs.previousJob → jobs.id',
  ],
};
