/** Every closed list of values, written once. Types, schemas, OpenAPI and the check constraints agree with it. */

export const environments = ['staging', 'production'] as const;
export type Environment = (typeof environments)[number];

export const permissions = [
  'view-employees',
  'view-hr-integrations',
  'view-billing',
  'add-employees',
  'update-employees',
  'remove-employees',
] as const;
export type Permission = (typeof permissions)[number];

export const subscriptionStatuses = [
  'no-subscription',
  'scheduled',
  'active',
  'scheduled-pause',
  'paused',
  'scheduled-cancellation',
  'cancelled',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export const planTypes = ['fully-subsidized-plan', 'deferred-plan', 'split-pay-plan'] as const;
export type PlanType = (typeof planTypes)[number];

export const contractStatuses = ['pending', 'accepted', 'rejected'] as const;
export type ContractStatus = (typeof contractStatuses)[number];

export const contractDecisions = ['contract-accepted', 'contract-rejected'] as const;
export type ContractDecision = (typeof contractDecisions)[number];

export const consentWays = ['electronically', 'on-paper'] as const;
export type ConsentWay = (typeof consentWays)[number];

export const batchOutcomes = ['decided', 'refused'] as const;
export type BatchOutcome = (typeof batchOutcomes)[number];

/** Why a running subscription is to end. If two reasons give the same date, the one listed first explains it. */
export const endCauses = ['termination', 'offboard', 'contract-rejected', 'opt-out', 'cancel'] as const;
export type EndCause = (typeof endCauses)[number];

export const notSubscribedReasons = ['opted-out', 'not-requested', 'employment-ends', 'pause-requested'] as const;
export type NotSubscribedReason = (typeof notSubscribedReasons)[number];

export const hrLinkTypes = ['custom', 'hr-integration'] as const;
export type HrLinkType = (typeof hrLinkTypes)[number];

export const chargeTypes = [
  'service-charge',
  'ticket-charge',
  'hr-integration-charge',
  'hr-payroll-integration-charge',
  'api-charge',
] as const;
export type ChargeType = (typeof chargeTypes)[number];

/** Charges of the company rather than of an employee. */
export const feeTypes = [
  'service-charge',
  'hr-integration-charge',
  'hr-payroll-integration-charge',
  'api-charge',
] as const;
export type FeeType = (typeof feeTypes)[number];

export const invoiceKinds = ['invoice', 'credit-note'] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/** How an amount is taxed: by the price list, by the buyer (in the EU), or not in Germany (outside of the EU). */
export const taxCategories = ['standard', 'reverse-charge', 'not-taxable'] as const;
export type TaxCategory = (typeof taxCategories)[number];

export const invoiceFormats = ['pdf', 'xrechnung', 'cii'] as const;
export type InvoiceFormat = (typeof invoiceFormats)[number];

/** Documents that the service creates itself. Other documents are added manually. */
export const documentKinds = [
  'subscription-confirmation',
  'contribution-agreement',
  'ticket-confirmation',
  'cancellation-confirmation',
] as const;
export type DocumentKind = (typeof documentKinds)[number];

export const integrationTypes = ['hr-integration', 'api-integration'] as const;
export type IntegrationType = (typeof integrationTypes)[number];

export const integrationStatuses = ['active', 'invalid', 'inactive'] as const;
export type IntegrationStatus = (typeof integrationStatuses)[number];

export const onboardingStatuses = ['incomplete', 'final-sync-pending', 'completed'] as const;
export type OnboardingStatus = (typeof onboardingStatuses)[number];

export const syncOutcomes = ['succeeded', 'partially-failed', 'failed', 'authentication-failed'] as const;
export type SyncOutcome = (typeof syncOutcomes)[number];

export const syncStates = ['accepted', 'processing', ...syncOutcomes] as const;
export type SyncState = (typeof syncStates)[number];

export const recordOutcomes = ['created', 'updated', 'offboarded', 'held', 'failed'] as const;
export type RecordOutcome = (typeof recordOutcomes)[number];

/** The states of removals that a sync left pending approval. A newer sync of the integration replaces them. */
export const approvalStates = ['pending', 'approved', 'rejected', 'replaced'] as const;
export type ApprovalState = (typeof approvalStates)[number];

export const payrollSystems = ['csv', 'datev-lodas', 'datev-lug'] as const;
export type PayrollSystem = (typeof payrollSystems)[number];

/** What payroll uses for an employee whose roster has no personnel number: the HR id, or only its digits. */
export const personnelNumberRules = ['hr-id', 'hr-id-digits'] as const;
export type PersonnelNumberRule = (typeof personnelNumberRules)[number];
export const taxTreatments = ['tax-free', 'flat-tax'] as const;
export type TaxTreatment = (typeof taxTreatments)[number];
export const providers = ['personio', 'hibob', 'bamboohr', 'sftp-csv'] as const;
export type Provider = (typeof providers)[number];

/** Why a roster is pulled: by the schedule, on request, or to show what a sync would do. */
export const pullKinds = ['nightly', 'manual', 'preview'] as const;
export type PullKind = (typeof pullKinds)[number];

export const pullStates = ['waiting', 'reading', 'read', 'failed', 'authentication-failed'] as const;
export type PullState = (typeof pullStates)[number];

/** What users of a company may do in the portal. A user has one or several (`roles.ts`). */
export const roles = ['admin', 'hr', 'payroll', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The roles that releases without role sets know. Their column is written beside the set. */
export const storedRoles = ['admin', 'developer', 'viewer'] as const;
export type StoredRole = (typeof storedRoles)[number];

export const actorTypes = ['key', 'user', 'operator', 'employee', 'service'] as const;
export type ActorType = (typeof actorTypes)[number];

export const eventTypes = [
  'employee-subscription-changed',
  'employee-created',
  'employee-removed',
  'new-employee-document-generated',
  'tickets-issued',
  'billing-items-created',
  'sync-finished',
  'sync-removals-held',
  'hr-integration-status-changed',
  'roster-overdue',
  'payroll-export-ready',
  'invoice-issued',
  'webhook-test',
] as const;
export type EventType = (typeof eventTypes)[number];

export const integrationStatusReasons = [
  'set-by-user',
  'set-by-operator',
  'credentials-refused',
  'reconnected',
  'no-valid-key',
  'key-created',
  'roster-uploaded',
] as const;
export type IntegrationStatusReason = (typeof integrationStatusReasons)[number];

export const endpointStates = ['enabled', 'disabled'] as const;
export type EndpointState = (typeof endpointStates)[number];

/** Why an endpoint is disabled: by a person, because the receiver answered 410, or after five days of failures. */
export const endpointDisabledReasons = ['manual', 'gone', 'failing'] as const;
export type EndpointDisabledReason = (typeof endpointDisabledReasons)[number];

export const deliveryStates = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const secondFactorKinds = ['app', 'passkey'] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

export const sessionMethods = ['password', 'password-and-factor', 'passkey', 'single-sign-on'] as const;
export type SessionMethod = (typeof sessionMethods)[number];

export const languages = ['de', 'en'] as const;
export type Language = (typeof languages)[number];

/** What became of a mail. `expired`: it could not be sent in time. */
export const mailStates = ['pending', 'sent', 'failed', 'expired', 'cancelled'] as const;
export type MailState = (typeof mailStates)[number];
