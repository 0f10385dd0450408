import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some, next } = seeded(2);

const CODES = ['FIN', 'ENG', 'OPS', 'MKT', 'LEG', 'HRM'];
const Departments = CODES.map((code, at) => ({
  DepartmentID: at + 1,
  DeptCode: code,
  DepartmentName:
    ['Finance', 'Engineering', 'Operations', 'Marketing', 'Legal', 'People'][at] ?? '',
  GroupName: at < 3 ? 'Core' : 'Support',
}));
const Employees = times(60, (n) => ({
  EmployeeID: n,
  LastName: ['Moe', 'Ravn', 'Sund', 'Tveit', 'Ulv', 'Vik', 'Wold'][n % 7] ?? '',
  FirstName: ['Kai', 'Liv', 'Mads', 'Nora', 'Odd', 'Per', 'Rut', 'Siv', 'Tor'][n % 9] ?? '',
  Title: one(['Analyst', 'Clerk', 'Engineer']),
  BirthDate: day(between(1960, 2000)),
  HireDate: day(2019),
  ReportsTo: n === 1 ? null : between(1, Math.min(n - 1, 9)),
  DeptCode: one(CODES),
  Extension: String(between(100, 999)),
  Salary: between(30, 90) * 1000,
}));
const PayGrades = times(5, (n) => ({ PayGradeID: n, MinPay: n * 20_000, MaxPay: n * 30_000 }));
const EmployeePayHistory = Employees.flatMap(({ EmployeeID }) =>
  times(between(1, 3), (n) => ({
    EmployeeID,
    RateChangeDate: `${2018 + n}-0${between(1, 9)}-01`,
    PayGradeID: between(1, 5),
    Rate: between(1500, 9000) / 100,
  })),
);
const Territories = times(12, (n) => ({
  TerritoryID: String(1581 + n * 173).padStart(5, '0'),
  TerritoryDescription: `Area of ${n}`,
  RegionID: between(1, 4),
}));
const Regions = ['East', 'West', 'North', 'South'].map((name, at) => ({
  RegionID: at + 1,
  RegionDescription: name,
}));
const EmployeeTerritories = Employees.slice(0, 20).flatMap(({ EmployeeID }) =>
  some(Territories, between(1, 3)).map(({ TerritoryID }) => ({ EmployeeID, TerritoryID })),
);
const JobCandidates = times(25, (n) => ({
  JobCandidateID: n,
  EmployeeID: next() < 0.3 ? between(1, 60) : null,
  Resume: `A long text about what the candidate number ${n} has done in earlier years and elsewhere.`,
}));

export const staff: TestCatalogue = {
  tables: {
    Departments,
    Employees,
    PayGrades,
    EmployeePayHistory,
    Territories,
    Regions,
    EmployeeTerritories,
    JobCandidates,
  },
  keys: {
    Departments: 'DepartmentID',
    Employees: 'EmployeeID',
    PayGrades: 'PayGradeID',
    EmployeePayHistory: 'EmployeeID + RateChangeDate',
    Territories: 'TerritoryID',
    Regions: 'RegionID',
    EmployeeTerritories: 'EmployeeID + TerritoryID',
    JobCandidates: 'JobCandidateID',
  },
  labels: { Departments: 'DepartmentName', Employees: 'LastName' },
  relations: [
    'Employees.ReportsTo → Employees.EmployeeID',
    'Employees.DeptCode → Departments.DeptCode',
    'EmployeePayHistory.EmployeeID → Employees.EmployeeID',
    'EmployeePayHistory.PayGradeID → PayGrades.PayGradeID',
    'Territories.RegionID → Regions.RegionID',
    'EmployeeTerritories.EmployeeID → Employees.EmployeeID',
    'EmployeeTerritories.TerritoryID → Territories.TerritoryID',
    'JobCandidates.EmployeeID → Employees.EmployeeID',
  ],
  links: ['EmployeeTerritories'],
};
