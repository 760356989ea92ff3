import { type Static, type TSchema, Type } from 'typebox';
import type { BillingItem } from '../billing/schema.ts';
import type { EmployeeDocument } from '../documents/schema.ts';
import { type CompanySettings, settingRanges } from '../domain/company-settings.ts';
import {
  type actorTypes,
  type chargeTypes,
  type contractStatuses,
  type environments,
  integrationTypes,
  permissions,
  type Role,
  roles,
  type subscriptionStatuses,
} from '../domain/enums.ts';
import { type Ability, isAble } from '../domain/roles.ts';
import type { SubscriptionChange } from '../employees/history.ts';
import type { Employee } from '../employees/schema.ts';
import type { HrIntegration } from '../hr-integrations/schema.ts';
import type { Sync, SyncRecord } from '../hr-integrations/sync/schema.ts';
import type { Money } from '../http/view.ts';

/**
 * The contract between the portal's pages and its API. The server validates requests with these schemas, and the pages
 * take their types from them. Records of the public API have the same shape here, so that no record is described twice.
 */

export { type Ability, isAble, type Role };

/** `{ data: T }` and a page of it, as in the public API. */
export interface Data<T> {
  data: T;
}
export interface Page<T> {
  data: T[];
  page: number;
  perPage: number;
  totalPages: number;
  total: number;
}

const closed = { additionalProperties: false } as const;
const Words = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words] });
/** A name that a user enters: one line of visible text. */
const Name = (maxLength: number) => Type.String({ maxLength, format: 'single-line-text' });
export const minPasswordLength = 12;
export const maxPasswordLength = 128;
const NewPassword = Type.String({ minLength: minPasswordLength, maxLength: maxPasswordLength });
const body = <T extends Record<string, TSchema>>(properties: T) => Type.Object(properties, closed);

/** GET /portal/api/me */
export interface Me {
  /** Whether the portal may move the clock of this environment. The user's role must allow it as well. */
  timeTravel: boolean;
  user: { id: string; name: string; email: string; role: Role };
  company: { id: number; name: string; locale: string; currency: string; timeZone: string };
  environment: (typeof environments)[number];
  /** Today's date for the company, by the environment's clock. */
  today: string;
  /** Base URL of the public API, including /v1. */
  apiUrl: string;
}

/** GET /portal/api/overview */
export interface Overview {
  /** What needs a user's attention, most urgent first. */
  waiting: (
    | { kind: 'held-removals'; integrationId: number; integrationName: string; syncId: string; removals: number }
    | { kind: 'pending-contracts'; employees: number }
    | { kind: 'integration-unhealthy'; integrationId: number; integrationName: string; status: string }
  )[];
  employeesByStatus: { status: (typeof subscriptionStatuses)[number]; employees: number }[];
  /** The last twelve months, oldest first, including months without any tickets. */
  months: { month: string; tickets: number; gross: Money }[];
  integrations: HrIntegration[];
  next: { cutOffOn: string; ticketsOn: string; billingOn: string; ticketsExpected: number };
}

export const keyStates = ['active', 'expired', 'revoked'] as const;

/** GET /portal/api/keys → Data<ApiKey[]>, newest first */
export interface ApiKey {
  username: string;
  name: string;
  permissions: (typeof permissions)[number][];
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  /** The password from before the last rotation works until this time. */
  previousValidUntil: string | null;
  state: (typeof keyStates)[number];
}

/** POST /portal/api/keys → 201 Data<NewSecret> */
export const NewKeyBody = body({
  name: Name(100),
  permissions: Type.Array(Words(permissions), { minItems: 1, maxItems: permissions.length, uniqueItems: true }),
  expiresAt: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
});
export type NewKeyBody = Static<typeof NewKeyBody>;

/** POST /portal/api/keys/:username/rotate → Data<NewSecret>; POST /portal/api/keys/:username/revoke → 204 */
export const RotateKeyBody = body({ overlapHours: Type.Integer({ minimum: 0, maximum: 24 * 30 }) });
export type RotateKeyBody = Static<typeof RotateKeyBody>;

/** Shown only once. */
export interface NewSecret {
  username: string;
  password: string;
}

/**
 * GET /portal/api/integrations → Data<HrIntegration[]>
 * POST /portal/api/integrations → 201 Data<HrIntegration>
 * GET /portal/api/integrations/:id → Data<HrIntegration>
 */
export const NewIntegrationBody = body({ name: Name(100), type: Words(integrationTypes) });
export type NewIntegrationBody = Static<typeof NewIntegrationBody>;

/** POST /portal/api/integrations/:id/status → Data<HrIntegration> */
export const IntegrationStatusBody = body({ status: Words(['active', 'inactive']) });
export type IntegrationStatusBody = Static<typeof IntegrationStatusBody>;

/**
 * GET /portal/api/integrations/:id/syncs?page&perPage → Data<Page<Sync>>
 * GET /portal/api/integrations/:id/syncs/:syncId → Data<Sync>
 * GET /portal/api/integrations/:id/syncs/:syncId/records?page&perPage&outcomes → Data<Page<SyncRecord>>
 *
 * POST /portal/api/integrations/:id/preview, body: a roster as application/json (`{ syncId, employees }` or a bare list
 * of entries) or text/csv with a header line → Data<RosterPreview>, or problem `invalid-roster` with pointers. Pointers
 * into a table look like `line 12, email`. Columns have the names of an entry's fields and are separated by commas or
 * semicolons. A missing column leaves the stored value unchanged, and an empty cell clears it. Absences:
 * `2026-01-01/2026-03-31 2026-05-01/?`. An absence without a last day is open-ended, and a question mark means not
 * approved. Tables and lists get a syncId such as `upload-2026-11-15-3f…`.
 * POST /portal/api/integrations/:id/sync, the same body → 202 Data<{ syncId: string }>
 */
export interface RosterPreview {
  state: string;
  entries: number;
  counts: Sync['counts'];
  warnings: Sync['warnings'];
  /** At most 200. The counts include all records. */
  records: SyncRecord[];
}

/**
 * POST /portal/api/integrations/:id/syncs/:syncId/held → 204. `confirm` repeats the number of removals, else problem
 * `confirmation-mismatch`. Problem `no-removals-held`: they were already decided, or a newer sync has replaced them.
 */
export const RemovalDecisionBody = body({ decision: Words(['approved', 'rejected']), confirm: Type.Integer() });
export type RemovalDecisionBody = Static<typeof RemovalDecisionBody>;

/**
 * GET /portal/api/employees: query and response as in GET /v1/employees → Data<Page<Employee>>
 * GET /portal/api/employees/:id → Data<EmployeeDetails>
 */
export interface EmployeeDetails {
  employee: Employee;
  /** Missing from the roster, and being offboarded. */
  isLeaving: boolean;
  absences: { startDate: string; endDate: string | null; approved: boolean }[];
  startDate: string | null;
  terminationDate: string | null;
  /** Newest first. */
  history: SubscriptionChange[];
  documents: EmployeeDocument[];
  /** Newest first. */
  tickets: { ticketId: string; month: string; validFrom: string; validUntil: string }[];
  charges: BillingItem[];
  /** The decisions that are allowed now and would change something. */
  decisions: DecisionName[];
}

export const decisionNames = [
  'subscribe',
  'cancel',
  'pause',
  'resume',
  'contract-accepted',
  'contract-rejected',
] as const;
export type DecisionName = (typeof decisionNames)[number];

/**
 * POST /portal/api/employees/:id/decisions/preview → Data<DecisionPreview>
 * POST /portal/api/employees/:id/decisions → Data<DecisionPreview>, or problem `decision-refused` with the reason as detail
 */
export const DecisionBody = body({ decision: Words(decisionNames) });
export type DecisionBody = Static<typeof DecisionBody>;

export interface DecisionPreview {
  /** Why the decision is not possible, or null if it is. */
  refusal: string | null;
  status: (typeof subscriptionStatuses)[number];
  contractStatus: (typeof contractStatuses)[number] | null;
  /** The changes that the decision makes or would make, each with its date and its rule as a sentence. */
  changes: { effectiveOn: string; detail: string; from: string; to: string }[];
  nextTicketAt: string | null;
}

/** GET /portal/api/documents/:id/download → the file */

/** GET /portal/api/billing → Data<BillingPeriod[]>, newest first */
export interface BillingPeriod {
  period: string;
  types: { chargeType: (typeof chargeTypes)[number]; items: number; net: Money; tax: Money; gross: Money }[];
  net: Money;
  tax: Money;
  gross: Money;
}

/**
 * A period is given by its first day, such as 2026-11-01.
 *
 * GET /portal/api/billing/:period/items?page&perPage&chargeType → Data<Page<BillingItem>>
 * GET /portal/api/billing/:period/payroll → Data<PayrollCheck>
 * GET /portal/api/billing/:period/payroll.csv → text/csv, one line per ticket charge and per correction:
 * `hrId,firstName,lastName,companyShare,employeeShare,net,tax,gross,correctsItem,correctsPeriod,reason`. If all lines
 * have an HR id, this request exports the file, which does not change after that.
 */
export interface PayrollCheck {
  lines: number;
  gross: Money;
  /** Employees whose line would have no hrId, at most 100. A removed employee has neither id nor name. */
  withoutHrId: { employeeId: number | null; name: string }[];
}

/**
 * GET /portal/api/activity?page&perPage&actorType&action&from&to → Data<Page<ActivityEntry>>, newest first. `action` is
 * a prefix, such as `key.`. `from` and `to` are days in the company's time zone, both included.
 */
export interface ActivityEntry {
  id: number;
  at: string;
  actorType: (typeof actorTypes)[number];
  /** A key's name and username, or a user's name. Null for the operator and the service. */
  actor: string | null;
  action: string;
  target: string | null;
  detail: Record<string, unknown>;
}

/** GET /portal/api/users → Data<Users> (admin) */
export interface Users {
  users: {
    id: string;
    name: string;
    email: string;
    role: Role;
    lastSignInAt: string | null;
    /** True if the user has no password until the operator sets a new one. */
    disabled: boolean;
  }[];
  invitations: { id: number; email: string; role: Role; expiresAt: string }[];
}

/**
 * POST /portal/api/users/invitations → 201 Data<{ link: string; expiresAt: string }>, problem `email-taken`. Replaces
 * an open invitation to the same address. DELETE …/invitations/:id → 204
 */
export const InvitationBody = body({ email: Type.String({ format: 'email', maxLength: 254 }), role: Words(roles) });
export type InvitationBody = Static<typeof InvitationBody>;

/** GET /portal/api/users/:id/keys → Data<UserKey[]>: active keys that this user created or knows. */
export interface UserKey {
  username: string;
  name: string;
  lastUsedAt: string | null;
  /**
   * True if the current password was shown to no other user. Such a key is revoked with the user unless listed in
   * `keepKeys`.
   */
  isOnlyTheirs: boolean;
}

/**
 * POST /portal/api/users/:id/remove → 204; problem `last-admin`. A key that neither list names is revoked if no other
 * user knows it.
 * POST /portal/api/users/:id/end-sessions → Data<{ sessions: number }>: how many were ended.
 */
const keyNames = Type.Array(Type.String({ maxLength: 40 }), { maxItems: 1000 });
export const RemoveUserBody = body({ revokeKeys: keyNames, keepKeys: keyNames });
export type RemoveUserBody = Static<typeof RemoveUserBody>;

/** POST /portal/api/users/:id/role → 204; problem `last-admin` */
export const RoleBody = body({ role: Words(roles) });
export type RoleBody = Static<typeof RoleBody>;

/**
 * GET /portal/api/invitations/:token → Data<Invitation> (public), problem `not-found` if it was used, was revoked or
 * has expired.
 * POST /portal/api/invitations/:token → 204, signed in; problem `email-taken` if a user of this company has the
 * address.
 */
export interface Invitation {
  email: string;
  companyName: string;
  role: Role;
}
export const AcceptInvitationBody = body({ name: Name(100), password: NewPassword });
export type AcceptInvitationBody = Static<typeof AcceptInvitationBody>;

const Ranged = ([minimum, maximum]: readonly [number, number]) => Type.Optional(Type.Integer({ minimum, maximum }));

/**
 * GET /portal/api/settings → Data<CompanySettings>; POST /portal/api/settings → Data<CompanySettings> (admin). Omitted
 * settings stay unchanged. Only the operator changes time zone, plan and the retention of the audit log (`company
 * set`).
 */
export const SettingsBody = body({
  name: Type.Optional(Name(200)),
  locale: Type.Optional(Type.String({ minLength: 2, maxLength: 35 })),
  contributionCents: Ranged(settingRanges.contributionCents),
  cutOffDay: Ranged(settingRanges.cutOffDay),
  guardMinimumLinked: Ranged(settingRanges.guardMinimumLinked),
  guardMaximumAbsentPercent: Ranged(settingRanges.guardMaximumAbsentPercent),
  retentionDays: Ranged(settingRanges.retentionDays),
});
export type SettingsBody = Static<typeof SettingsBody>;
export type { CompanySettings };

/**
 * GET /portal/api/time-travel → Data<TimeTravel> (admin and developer, staging only): the companies that it moves.
 * Where only the operator may travel, both routes return problem `time-travel-not-allowed`.
 * POST /portal/api/time-travel → Data<{ today: string }>. Responds when every day is processed. `confirm` repeats the
 * number of companies, else problem `confirmation-mismatch`. A past day, or more than 400 days at once, is problem
 * `invalid-body` at `/to`.
 */
export interface TimeTravel {
  companies: { id: number; name: string }[];
}
export const TimeTravelBody = body({ to: Type.String({ format: 'date' }), confirm: Type.Integer() });
export type TimeTravelBody = Static<typeof TimeTravelBody>;

/**
 * better-auth handles sign-in, but each of these routes returns 204 and a cookie:
 * POST /portal/api/auth/sign-in/email (problems `sign-in-failed`, `sign-in-throttled` with Retry-After)
 * POST /portal/api/auth/sign-out
 * POST /portal/api/auth/revoke-other-sessions, …/revoke-sessions (signs out everywhere, including this browser)
 */
export const SignInBody = body({
  email: Name(254),
  password: Type.String({ minLength: 1, maxLength: maxPasswordLength }),
});
export type SignInBody = Static<typeof SignInBody>;

/** POST /portal/api/auth/change-password → 204, signed out everywhere else; problem `wrong-password` */
export const ChangePasswordBody = body({
  currentPassword: Type.String({ minLength: 1, maxLength: maxPasswordLength }),
  newPassword: NewPassword,
});
export type ChangePasswordBody = Static<typeof ChangePasswordBody>;
