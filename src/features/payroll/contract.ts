import { type Static, Type } from 'typebox';
import { payrollSystems, taxTreatments } from '../../domain/enums.ts';
import { pagingParameters } from '../../platform/http/paging.ts';
import { Closed, Name } from '../../platform/http/portal/schemas.ts';
import {
  Enum,
  LinkSchema,
  MoneySchema,
  Named,
  Nullable,
  PlainDate,
  Reference,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { Period } from '../billing/contract.ts';
import { coverSheetFormats, yearFormats } from './rules/formats.ts';
import { problemCodes } from './rules/personnel-number.ts';
import { payrollSettingNames } from './rules/plan.ts';
import { yearDifferences } from './rules/year.ts';

const money = Reference(MoneySchema);

export const PayrollExportSchema = Named(
  'PayrollExport',
  Closed(
    {
      id: Type.Integer(),
      number: Type.Integer({ description: 'Counts the exports of the company, without gaps.' }),
      period: PlainDate('First day of the month in which payroll books it.'),
      system: Enum(payrollSystems, { description: 'The payroll system that reads the file.' }),
      lines: Type.Integer({ description: 'Number of lines: one per employee and wage type.' }),
      employees: Type.Integer({ description: 'Number of employees.' }),
      taxFree: money,
      flatTax: money,
      deduction: money,
      fileName: Type.String(),
      sizeBytes: Type.Integer(),
      sha256: Type.String({ description: 'SHA-256 of the file, in hexadecimal digits.' }),
      exportedAt: Timestamp('When it was made. The file never changes after that.'),
      exportedBy: Type.String({ description: 'Who made it: the name of a user, or `Operator`.' }),
      voided: Nullable(
        Closed({
          at: Timestamp('When it was voided.'),
          by: Type.String({ description: 'Who voided it: the name of a user, or `Operator`.' }),
          reason: Type.String(),
        }),
        'Null unless it was voided: do not book it then. The next export contains its lines again.',
      ),
      handedOver: Nullable(
        Closed({
          at: Timestamp('When it was recorded.'),
          by: Type.String({ description: 'Who recorded it: the name of a user, or `Operator`.' }),
        }),
        'Null unless somebody recorded that the file was handed over to payroll.',
      ),
      resource: Enum(['payroll-export']),
      _links: Closed({ self: Reference(LinkSchema), download: Reference(LinkSchema) }),
    },
    '`taxFree` is the sum of the tax-free benefits, which line 17 of the wage-tax certificates reports (§ 3 Nr. 15 EStG), `flatTax` that of the flat-taxed benefits (§ 40 Abs. 2 EStG), `deduction` that of the shares that employees pay from net pay.',
  ),
);

export type PayrollExport = Static<typeof PayrollExportSchema>;

export const PayrollExportsQuery = Type.Object({
  ...pagingParameters,
  sortField: Enum(['id', 'period', 'exportedAt'], { default: 'id', description: 'Field to sort by.' }),
  period: Type.Optional(Period),
});

export type PayrollExportsQuery = Static<typeof PayrollExportsQuery>;

export const payrollExportExample: PayrollExport = {
  id: 1,
  number: 1,
  period: '2026-11-01',
  system: 'datev-lodas',
  lines: 2,
  employees: 1,
  taxFree: { label: '37,46 €', value: 3746 },
  flatTax: { label: '0,00 €', value: 0 },
  deduction: { label: '20,00 €', value: 2000 },
  fileName: 'lodas-2026-11-1.txt',
  sizeBytes: 326,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  exportedAt: '2026-11-20T09:00:00Z',
  exportedBy: 'Petra Lohn',
  voided: null,
  handedOver: null,
  resource: 'payroll-export',
  _links: {
    self: { href: 'http://localhost:3000/v1/billing/payroll-exports/1', type: 'application/json' },
    download: { href: 'http://localhost:3000/v1/billing/payroll-exports/1/download', type: 'text/plain' },
  },
};

export const PayrollPreviewSchema = Closed({
  system: Enum(payrollSystems),
  taxTreatment: Enum(taxTreatments),
  benefitValuation: Type.Integer(),
  lines: Type.Integer(),
  employees: Type.Integer(),
  taxFree: money,
  flatTax: money,
  deduction: money,
  periodAge: Enum(['future', 'usual', 'old'], {
    description: '`future`: has not begun and cannot be exported. `old`: before this month and the one before it.',
  }),
  missingSettings: Type.Array(Enum(payrollSettingNames)),
  leavers: Type.Array(
    Closed({
      employeeId: Nullable(Type.Integer(), 'Null for a removed employee.'),
      name: Nullable(Type.String(), 'Null for a removed employee.'),
      terminationDate: PlainDate('Last day of employment.'),
    }),
    { description: 'Whose employment ended before the period, at most 1,000.' },
  ),
  problemCount: Type.Integer({ description: 'How many employees cannot be exported.' }),
  problems: Type.Array(
    Closed({
      code: Enum(problemCodes),
      employeeId: Nullable(Type.Integer(), 'Null for a removed employee.'),
      name: Nullable(Type.String(), 'Null for a removed employee.'),
      hrId: Nullable(Type.String()),
    }),
    { description: 'At most 1,000 of them.' },
  ),
});

export type PayrollPreview = Static<typeof PayrollPreviewSchema>;

export const ReasonBody = Closed({ reason: Name(500) });

export type ReasonBody = Static<typeof ReasonBody>;

export const CoverSheetQuery = Type.Object({ format: Enum(coverSheetFormats, { default: 'pdf' }) });

export type CoverSheetQuery = Static<typeof CoverSheetQuery>;

const yearAmounts = { taxFree: money, flatTax: money, deduction: money };

export const PayrollYearSchema = Closed({
  year: Type.Integer(),
  asOf: PlainDate('The day through which corrections are included.'),
  isOver: Type.Boolean({ description: 'Only then can statements of employees be made.' }),
  employees: Type.Integer({ description: 'How many had a ticket, or differ.' }),
  ...yearAmounts,
  exported: Closed(yearAmounts, 'What the exports of the months of the year contain.'),
  differenceCount: Type.Integer({ description: 'Of how many employees the exports contain something else.' }),
  differences: Type.Array(
    Closed({
      employeeId: Nullable(Type.Integer(), 'Null for a removed employee.'),
      name: Nullable(Type.String(), 'Null for a removed employee.'),
      personnelNumber: Type.String({ description: 'The HR id if there is no usable personnel number.' }),
      reason: Enum(yearDifferences, {
        description:
          '`not-exported`: no export contains some of it. `other-year`: an export of another year does, or one of this year contains something of another.',
      }),
      ...yearAmounts,
      exported: Closed(yearAmounts),
    }),
    { description: 'At most 1,000 of them.' },
  ),
  statements: Type.Integer({ description: 'How many employees have their statement of the year.' }),
});

export type PayrollYear = Static<typeof PayrollYearSchema>;

export const YearParams = Type.Object({
  year: Type.Integer({ minimum: 2023, maximum: 2999, description: 'The calendar year.' }),
});

export const YearQuery = Type.Object({ format: Enum(yearFormats, { default: 'xlsx' }) });

export type YearQuery = Static<typeof YearQuery>;

export const RequestedStatementsSchema = Closed({ year: Type.Integer() });

export type RequestedStatements = Static<typeof RequestedStatementsSchema>;
