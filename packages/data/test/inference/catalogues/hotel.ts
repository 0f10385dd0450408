import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some } = seeded(41);

const Guests = times(60, (n) => ({
  GuestID: n,
  GuestName: `Guest ${n}`,
  Country: one(['NO', 'DK', 'FR']),
  VIP: n % 9 === 0,
}));
const RoomTypes = ['SGL', 'DBL', 'STE', 'FAM'].map((code, at) => ({
  TypeCode: code,
  Description: `Kind ${at}`,
  BaseRate: 60 + at * 35,
}));
const Rooms = times(30, (n) => ({
  RoomNo: String(100 * (1 + (n % 3)) + n),
  RoomType: one(RoomTypes).TypeCode,
  Floor: 1 + (n % 3),
}));
const Agencies = times(7, (n) => ({
  AgencyID: n,
  AgencyName: `Agency ${n}`,
  Commission: n / 2,
}));
const Reservations = times(140, (n) => ({
  ResNo: 70_000 + n,
  GuestID: between(1, 60),
  RoomNo: one(Rooms).RoomNo,
  AgencyID: n % 3 === 0 ? between(1, 7) : null,
  CheckIn: day(2025),
  Nights: between(1, 9),
}));
const Invoices = Reservations.slice(0, 100).map(({ ResNo }, at) => ({
  InvNo: `INV${2500 + at}`,
  ResNo,
  Total: between(5000, 90_000) / 100,
}));
const InvoiceItems = Invoices.flatMap(({ InvNo }) =>
  times(between(1, 4), (n) => ({
    InvNo,
    ItemNo: n,
    Text: one(['Room', 'Bar', 'Spa']),
    Amount: between(500, 9000) / 100,
  })),
);
const Staff = times(18, (n) => ({
  EmpNo: n,
  Name: `Staff ${n}`,
  SupervisorEmpNo: n > 2 ? between(1, 2) : null,
}));
const Housekeeping = times(90, (n) => ({
  TaskID: n,
  RoomNo: one(Rooms).RoomNo,
  DoneBy: between(1, 18),
  DoneOn: day(2025),
}));
const RoomAmenities = Rooms.flatMap(({ RoomNo }) =>
  some(['TV', 'Safe', 'Desk', 'Bath'], between(1, 3)).map((Amenity) => ({ RoomNo, Amenity })),
);

export const hotel: TestCatalogue = {
  tables: {
    Guests,
    RoomTypes,
    Rooms,
    Agencies,
    Reservations,
    Invoices,
    InvoiceItems,
    Staff,
    Housekeeping,
    RoomAmenities,
  },
  keys: {
    Guests: 'GuestID',
    RoomTypes: 'TypeCode',
    Rooms: 'RoomNo',
    Agencies: 'AgencyID',
    Reservations: 'ResNo',
    Invoices: 'InvNo',
    InvoiceItems: 'InvNo + ItemNo',
    Staff: 'EmpNo',
    Housekeeping: 'TaskID',
    RoomAmenities: 'RoomNo + Amenity',
  },
  labels: {
    Guests: 'GuestName',
    RoomTypes: 'TypeCode',
    Rooms: 'RoomNo',
    Agencies: 'AgencyName',
    Invoices: 'InvNo',
    Staff: 'Name',
  },
  relations: [
    'Rooms.RoomType → RoomTypes.TypeCode',
    'Reservations.GuestID → Guests.GuestID',
    'Reservations.RoomNo → Rooms.RoomNo',
    'Reservations.AgencyID → Agencies.AgencyID',
    'Invoices.ResNo → Reservations.ResNo',
    'InvoiceItems.InvNo → Invoices.InvNo',
    'Staff.SupervisorEmpNo → Staff.EmpNo',
    'Housekeeping.RoomNo → Rooms.RoomNo',
    'Housekeeping.DoneBy → Staff.EmpNo',
    'RoomAmenities.RoomNo → Rooms.RoomNo',
  ],
};
