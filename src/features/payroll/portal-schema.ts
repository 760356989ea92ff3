import { type Static, Type } from 'typebox';
import { payrollSystems, taxTreatments } from '../../domain/enums.ts';
import { Closed, Name } from '../../platform/http/portal/schemas.ts';
import { Enum, MoneySchema, Named, Nullable, PlainDate, Reference } from '../../platform/http/schemas.ts';
import { payrollSettingNames, problemCodes } from './rules/plan.ts';

const money = Reference(MoneySchema);

export const PayrollPreviewSchema = Named(
  'PayrollPreview',
  Closed({
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
  }),
);
export type PayrollPreviewRecord = Static<typeof PayrollPreviewSchema>;

export const VoidBody = Closed({ reason: Name(500) });
