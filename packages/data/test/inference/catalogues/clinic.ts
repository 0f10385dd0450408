import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some, uuid } = seeded(3);

const wards = times(5, (n) => ({ id: uuid(), name: `Ward ${n}`, beds: between(8, 30) }));
const practitioners = times(12, (n) => ({
  id: uuid(),
  fullName: `Dr ${['Amir', 'Bea', 'Chen', 'Duc'][n % 4]} ${['Rey', 'Sato', 'Tran'][n % 3]}`,
  specialty: one(['cardiology', 'surgery', 'paediatrics']),
  wardId: one(wards).id,
  supervisorId: null as string | null,
}));
for (const each of practitioners.slice(3)) each.supervisorId = one(practitioners.slice(0, 3)).id;
const conditions = times(30, (n) => ({
  code: `${one(['A', 'E', 'I', 'J'])}${10 + n}.${n % 10}`,
  display: `Condition ${n}`,
  isChronic: n % 3 === 0,
}));
const patients = times(80, (n) => ({
  id: uuid(),
  name: `Patient ${n}`,
  birthDate: day(between(1930, 2020)),
  primaryDoctor: one(practitioners).id,
  conditionCodes: some(conditions, between(0, 4)).map(({ code }) => code),
  bloodGroup: one(['A', 'B', 'AB', '0']),
}));
const medications = times(25, (n) => ({
  id: uuid(),
  name: `Drug ${n}`,
  strengthMg: between(5, 500),
}));
const visits = times(200, (n) => ({
  visitId: uuid(),
  patientId: one(patients).id,
  seenBy: one(practitioners).id,
  participantIds: some(practitioners, between(0, 3)).map(({ id }) => id),
  visitDate: day(2025),
  reason: `Reason ${n % 13}`,
  cost: between(1000, 90_000) / 100,
}));
const prescriptions = times(150, () => ({
  id: uuid(),
  visit: one(visits).visitId,
  medicationId: one(medications).id,
  doses: between(1, 60),
}));

export const clinic: TestCatalogue = {
  tables: { wards, practitioners, conditions, patients, medications, visits, prescriptions },
  keys: {
    wards: 'id',
    practitioners: 'id',
    conditions: 'code',
    patients: 'id',
    medications: 'id',
    visits: 'visitId',
    prescriptions: 'id',
  },
  labels: {
    wards: 'name',
    practitioners: 'fullName',
    conditions: 'code',
    patients: 'name',
    medications: 'name',
  },
  relations: [
    'practitioners.wardId → wards.id',
    'practitioners.supervisorId → practitioners.id',
    'patients.primaryDoctor → practitioners.id',
    'patients.conditionCodes *→ conditions.code',
    'visits.patientId → patients.id',
    'visits.seenBy → practitioners.id',
    'visits.participantIds *→ practitioners.id',
    'prescriptions.visit → visits.visitId',
    'prescriptions.medicationId → medications.id',
  ],
};
