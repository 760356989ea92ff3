import { documentKinds, invoiceKinds } from './enums.ts';

/** Closed lists and limits that requests and pages share, and no column of the database has. */

export const documentOwners = ['employees', 'company'] as const;
export type DocumentOwner = (typeof documentOwners)[number];

/** What a document can be. Documents that were added by hand are `other`. */
export const documentTypes = [...documentKinds, ...invoiceKinds, 'other'] as const;
export type DocumentType = (typeof documentTypes)[number];

/** The state of an agreement: open until the employee has decided, by their link or by what HR has recorded. */
export const agreementStates = ['open', 'link-expired', 'signed', 'recorded', 'rejected'] as const;
export type AgreementState = (typeof agreementStates)[number];

/** Where an employee stands in a change of what employees pay. After the deadline, and when the month has begun: what became of it. */
export const planChangeStates = [
  'pending',
  'accepted',
  'rejected',
  'announced',
  'changed',
  'kept',
  'paused',
  'cancelled',
  'ended',
] as const;
export type PlanChangeState = (typeof planChangeStates)[number];

export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;

/** The columns of a roster as a table: the fields of an entry. */
export const rosterColumns = [
  'hrId',
  'firstName',
  'lastName',
  'email',
  'personnelNumber',
  'profileImage',
  'dateOfBirth',
  'startDate',
  'terminationDate',
  'autoSyncEmployee',
  'absences',
  'group',
] as const;
export type RosterColumn = (typeof rosterColumns)[number];
export const requiredColumns: readonly RosterColumn[] = ['hrId', 'firstName', 'lastName', 'email'];

/** What a column of a table can contain, in the order in which people expect it. Absences may have a column per day. */
export const columnFields = [
  'hrId',
  'firstName',
  'lastName',
  'email',
  'personnelNumber',
  'dateOfBirth',
  'startDate',
  'terminationDate',
  'autoSyncEmployee',
  'absenceStart',
  'absenceEnd',
  'absences',
  'group',
  'profileImage',
] as const;
export type ColumnField = (typeof columnFields)[number];

export const settingRanges = {
  contributionCents: [0, 100_000],
  cutOffDay: [1, 31],
  guardMinimumLinked: [1, 1_000_000],
  guardMaximumAbsentPercent: [0, 100],
  retentionDays: [0, 3650],
  auditRetentionDays: [30, 3650],
  payrollConsultant: [1, 9_999_999],
  payrollClient: [1, 99_999],
  wageTypeTaxFree: [1, 9999],
  wageTypeFlatTax: [1, 9999],
  wageTypeDeduction: [1, 9999],
} as const satisfies Record<string, readonly [number, number]>;

/** The percentages at which a benefit may be valued: its price, or less 4 % (R 8.1 Abs. 2 LStR). */
export const benefitValuations = [100, 96] as const;

/** The most characters of what a company adds to its agreements: they fit the page. */
export const agreementParagraphLimit = 600;

/** The limits of a logo. It is printed at most 7 cm wide, and sent to the thread that renders with every letter. */
export const logoLimits = { bytes: 128 * 1024, pixelsPerSide: 2_000 };

/** The most documents of one archive. */
export const maxArchived = 1_000;
