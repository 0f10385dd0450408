import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some } = seeded(82);

const PolicyHolders = times(70, (n) => ({
  HolderNumber: `PH-${String(n).padStart(5, '0')}`,
  FullName: `Holder ${n}`,
  DateOfBirth: day(between(1940, 2000)),
  PostCode: `${between(1000, 9999)} AB`,
}));
const Products = ['CAR', 'HOME', 'LIFE', 'PET', 'TRIP'].map((Code, at) => ({
  Code,
  ProductName: `Cover ${at}`,
  LaunchYear: 2000 + at,
}));
const Brokers = times(9, (n) => ({
  BrokerId: n,
  BrokerName: `Broker ${n}`,
  ParentBrokerId: n > 6 ? between(1, 3) : null,
}));
const Policies = times(130, (n) => ({
  PolicyNumber: 8_000_000 + n * 37,
  Holder: one(PolicyHolders).HolderNumber,
  ProductCode: one(Products).Code,
  BrokerId: n % 4 ? between(1, 9) : null,
  StartDate: day(2024),
  Premium: between(5000, 90_000) / 100,
  Status: one(['active', 'lapsed', 'cancelled']),
}));
const Claims = times(80, (n) => ({
  ClaimRef: `CL${between(10, 99)}-${1000 + n}`,
  PolicyNumber: one(Policies).PolicyNumber,
  HandlerId: between(1, 12),
  LossDate: day(2025),
  Reserve: between(100, 20_000),
}));
const Staff = times(12, (n) => ({
  StaffId: n,
  Name: `Person ${n}`,
  TeamCode: one(['T1', 'T2', 'T3']),
  LineManager: n > 2 ? between(1, 2) : null,
}));
const ClaimPayments = times(110, (n) => ({
  PaymentNo: n,
  ClaimRef: one(Claims).ClaimRef,
  PaidOn: day(2025),
  Amount: between(1000, 500_000) / 100,
  ApprovedBy: between(1, 12),
}));
const Teams = ['T1', 'T2', 'T3', 'T4'].map((TeamCode, at) => ({
  TeamCode,
  TeamName: `Team ${at}`,
  Budget: at * 1000,
}));
const CoveredPerils = Products.flatMap(({ Code }) =>
  some(['fire', 'flood', 'theft', 'storm'], between(2, 3)).map((Peril) => ({
    ProductCode: Code,
    Peril,
  })),
);

export const insurance: TestCatalogue = {
  tables: {
    PolicyHolders,
    Products,
    Brokers,
    Policies,
    Claims,
    Staff,
    ClaimPayments,
    Teams,
    CoveredPerils,
  },
  keys: {
    PolicyHolders: 'HolderNumber',
    Products: 'Code',
    Brokers: 'BrokerId',
    Policies: 'PolicyNumber',
    Claims: 'ClaimRef',
    Staff: 'StaffId',
    ClaimPayments: 'PaymentNo',
    Teams: 'TeamCode',
    CoveredPerils: '',
  },
  labels: {
    PolicyHolders: 'FullName',
    Products: 'ProductName',
    Brokers: 'BrokerName',
    Claims: 'ClaimRef',
    Staff: 'Name',
    Teams: 'TeamName',
  },
  relations: [
    'Brokers.ParentBrokerId → Brokers.BrokerId',
    'Policies.Holder → PolicyHolders.HolderNumber',
    'Policies.ProductCode → Products.Code',
    'Policies.BrokerId → Brokers.BrokerId',
    'Claims.PolicyNumber → Policies.PolicyNumber',
    'Claims.HandlerId → Staff.StaffId',
    'Staff.TeamCode → Teams.TeamCode',
    'Staff.LineManager → Staff.StaffId',
    'ClaimPayments.ClaimRef → Claims.ClaimRef',
    'ClaimPayments.ApprovedBy → Staff.StaffId',
    'CoveredPerils.ProductCode → Products.Code',
  ],
};
