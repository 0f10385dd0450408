import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some, next } = seeded(16);

const machines = times(10, (n) => ({
  machine_id: `MX-${String(n).padStart(2, '0')}`,
  model: `Model ${n % 3}`,
  bought: day(2018),
}));
const parts = times(50, (n) => ({
  part_number: `${between(10, 99)}-${1000 + n}`,
  description: `Part for use ${n}`,
  uom: one(['ea', 'kg', 'm']),
  weight: n / 3,
}));
const bom = parts.slice(0, 12).flatMap((parent) =>
  some(parts.slice(12), between(2, 5)).map((child) => ({
    parent_part: parent.part_number,
    child_part: child.part_number,
    qty: between(1, 8),
  })),
);
const vendors = times(9, (n) => ({
  vendor_code: `V${100 + n}`,
  vendor: `Vendor ${n} Ltd`,
  rating: between(1, 5),
}));
const part_vendors = parts.slice(12).flatMap((part) =>
  some(vendors, between(1, 2)).map(({ vendor_code }) => ({
    part_number: part.part_number,
    vendor_code,
    lead_days: between(2, 40),
    price: between(10, 900) / 10,
  })),
);
const operators = times(22, (n) => ({
  badge: 8100 + n * 11,
  full_name: `Operator ${n}`,
  hired: day(2020),
}));
const work_orders = times(130, (n) => ({
  wo_number: `WO${20_000 + n}`,
  part_number: one(parts).part_number,
  machine: one(machines).machine_id,
  qty: between(1, 500),
  parent_wo: n > 20 && next() < 0.2 ? `WO${20_000 + between(1, 20)}` : null,
  due: day(2025),
}));
const downtime = times(70, (n) => ({
  id: n,
  machine_id: one(machines).machine_id,
  reported_by: one(operators).badge,
  started: `${day(2025)} 0${between(1, 9)}:30`,
  minutes: between(5, 400),
}));

export const plant: TestCatalogue = {
  tables: { machines, parts, bom, vendors, part_vendors, operators, work_orders, downtime },
  keys: {
    machines: 'machine_id',
    parts: 'part_number',
    bom: 'parent_part + child_part',
    vendors: 'vendor_code',
    part_vendors: 'part_number + vendor_code',
    operators: 'badge',
    work_orders: 'wo_number',
    downtime: 'id',
  },
  labels: {
    parts: 'part_number',
    vendors: 'vendor',
    operators: 'full_name',
    work_orders: 'wo_number',
  },
  relations: [
    'bom.parent_part → parts.part_number',
    'bom.child_part → parts.part_number',
    'part_vendors.part_number → parts.part_number',
    'part_vendors.vendor_code → vendors.vendor_code',
    'work_orders.part_number → parts.part_number',
    'work_orders.machine → machines.machine_id',
    'work_orders.parent_wo → work_orders.wo_number',
    'downtime.machine_id → machines.machine_id',
    'downtime.reported_by → operators.badge',
  ],
  links: ['bom', 'part_vendors'],
};
