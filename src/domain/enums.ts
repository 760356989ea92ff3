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
  'manage-subscriptions',
  'manage-billing',
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

/** Why a policy applies to an employee: somebody assigned it, their group has it, or none of both. */
export const policyReasons = ['by-hand', 'by-group', 'default'] as const;
export type PolicyReason = (typeof policyReasons)[number];

/** What happens to subscriptions whose employees do not agree to a higher share by the deadline. */
export const noAnswerRules = ['keep', 'pause', 'cancel'] as const;
export type NoAnswerRule = (typeof noAnswerRules)[number];

/**
 * What became of the change of a plan. `changed`: the new plan applies. `kept`, `paused`, `cancelled`: nobody agreed, and the
 * company's rule was applied. `ended`: the subscription ended or changed for another reason before.
 */
export const planChangeOutcomes = ['changed', 'kept', 'paused', 'cancelled', 'ended'] as const;
export type PlanChangeOutcome = (typeof planChangeOutcomes)[number];

/** How far an invitation has got. `unreachable`: no mail was sent, and no letter was printed. */
export const invitationStates = ['invited', 'opened', 'joined', 'declined', 'unreachable'] as const;
export type InvitationState = (typeof invitationStates)[number];

/** How employees get their subscription: by the roster's custom field, by joining themselves, or by both. */
export const joiningWays = ['roster', 'employee', 'both'] as const;
export type JoiningWay = (typeof joiningWays)[number];

export const contractStatuses = ['pending', 'accepted', 'rejected'] as const;
export type ContractStatus = (typeof contractStatuses)[number];

export const contractDecisions = ['contract-accepted', 'contract-rejected'] as const;
export type ContractDecision = (typeof contractDecisions)[number];

export const consentWays = ['electronically', 'on-paper'] as const;
export type ConsentWay = (typeof consentWays)[number];

export const batchOutcomes = ['decided', 'refused'] as const;
export type BatchOutcome = (typeof batchOutcomes)[number];

export const requestActions = ['subscribe', 'pause', 'resume', 'cancel'] as const;
export type RequestAction = (typeof requestActions)[number];

/** What is done for many employees at once. `undo`: of an earlier request about many. */
export const batchActions = [...contractDecisions, ...requestActions, 'undo'] as const;
export type BatchAction = (typeof batchActions)[number];

/** Who asks for a change of a subscription: the employee, or the company (its users, its keys and the operator). */
export const sides = ['employee', 'company'] as const;
export type Side = (typeof sides)[number];

/** What became of a request. `replaced`: by a later one of the same side. */
export const requestStatuses = ['applied', 'replaced', 'undone'] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** Why a running subscription is to end. If two reasons give the same date, the one listed first explains it. */
export const endCauses = ['termination', 'offboard', 'contract-rejected', 'opt-out', 'cancel'] as const;
export type EndCause = (typeof endCauses)[number];

export const notSubscribedReasons = [
  ...(['opted-out', 'not-requested', 'employment-ends', 'ended-by-employee', 'ended-by-company'] as const),
  // Recorded by earlier releases: now a pause outlasts an end, and postpones the next start.
  'pause-requested',
] as const;
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

/** What can become known too late for a ticket that is charged. */
export const lateCauses = ['termination', 'absence'] as const;
export type LateCause = (typeof lateCauses)[number];

/** What one unit of a fee is. */
export const feeUnits = ['ticket', 'linked-employee', 'month-with-payroll-export', 'month-with-api-calls'] as const;
export type FeeUnit = (typeof feeUnits)[number];

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
  'yearly-statement',
] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** Who issues the tickets of a company: the service itself, or a transport company that is sent lists or requests. */
export const issuerKinds = ['built-in', 'order-list', 'http'] as const;
export type IssuerKind = (typeof issuerKinds)[number];

/** What became of an order for a ticket. `required`: it waits to be placed. */
export const orderStates = ['required', 'ordered', 'issued', 'failed', 'blocked', 'replaced'] as const;
export type OrderState = (typeof orderStates)[number];

/** Who must act so that a failed order becomes a ticket. */
export const orderActors = ['issuer', 'hr', 'operator', 'nobody'] as const;
export type OrderActor = (typeof orderActors)[number];

export const barcodeFormats = ['uic-918-3', 'opaque'] as const;
export type BarcodeFormat = (typeof barcodeFormats)[number];

/** The sections of an order list. */
export const orderSections = ['new', 'continuing', 'changed', 'ended'] as const;
export type OrderSection = (typeof orderSections)[number];

/** How a returned order list came in. */
export const returnOrigins = ['upload', 'command', 'sftp'] as const;
export type ReturnOrigin = (typeof returnOrigins)[number];

/** How what must be differs from what the issuer has. */
export const differenceKinds = ['missing', 'double', 'unexpected', 'mismatched'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** How the invoice of an issuer differs from the tickets, most urgent first. */
export const invoiceDifferenceKinds = [
  ...(['unknown', 'double', 'not-in-force', 'price', 'other-month', 'other-charge', 'credit', 'not-billed'] as const),
] as const;
export type InvoiceDifferenceKind = (typeof invoiceDifferenceKinds)[number];

/** Why a person blocks or replaces a ticket. */
export const blockReasons = [
  'lost',
  'unreadable',
  'new-phone',
  'left',
  'agreement-rejected',
  'returned',
  'wrong',
] as const;
export type BlockReason = (typeof blockReasons)[number];

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

/** Why a ticket was replaced: its code cannot be read, or a pass is on a device that its holder no longer has. */
export const replacementReasons = ['unreadable', 'new-phone', 'other'] as const;
export type ReplacementReason = (typeof replacementReasons)[number];

export const payrollSystems = ['csv', 'datev-lodas', 'datev-lug'] as const;
export type PayrollSystem = (typeof payrollSystems)[number];

/** What payroll uses for an employee whose roster has no personnel number: the HR id, or only its digits. */
export const personnelNumberRules = ['hr-id', 'hr-id-digits'] as const;
export type PersonnelNumberRule = (typeof personnelNumberRules)[number];
export const taxTreatments = ['tax-free', 'flat-tax'] as const;
export type TaxTreatment = (typeof taxTreatments)[number];
/** The attribute of SCIM with the HR id of an employee. */
export const hrIdAttributes = ['employeeNumber', 'externalId'] as const;
export type HrIdAttribute = (typeof hrIdAttributes)[number];

/** What a case of an integration contains: requests of a pull, or of an identity provider. */
export const caseKinds = ['pull', 'scim'] as const;
export type CaseKind = (typeof caseKinds)[number];

export const providers = ['personio', 'hibob', 'bamboohr', 'sftp-csv', 'http-json'] as const;
export type Provider = (typeof providers)[number];

/** How often an integration pulls, counted from its nightly time. */
export const pullSchedules = ['hourly', 'every-three-hours', 'nightly'] as const;
export type PullSchedule = (typeof pullSchedules)[number];

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
  'ticket-differences-found',
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

/** How an employee got into their page. A link that was passed on came from HR or the operator, not by mail. */
export const accessMethods = ['mailed-link', 'passed-on-link', 'letter', 'single-sign-on'] as const;
export type AccessMethod = (typeof accessMethods)[number];

export const languages = ['de', 'en'] as const;
export type Language = (typeof languages)[number];

/** What became of a mail. `expired`: it could not be sent in time. */
export const mailStates = ['pending', 'sent', 'failed', 'expired', 'cancelled'] as const;
export type MailState = (typeof mailStates)[number];

/** The mails that employees get. */
export const employeeMailKinds = [
  'access-link',
  'invitation',
  'invitation-reminder',
  'welcome',
  'ticket',
  'agreement',
  'agreement-reminder',
  'plan-changed',
  'price-changed',
  'pause-confirmed',
  'resumption-confirmed',
  'cancellation-confirmed',
  'undo-confirmed',
  'ticket-replaced',
] as const;
export type EmployeeMailKind = (typeof employeeMailKinds)[number];

/** `not-sent`: kept on staging, which writes only to addresses that MAIL_ALLOW lists. */
export const employeeMailStates = [...mailStates, 'not-sent'] as const;
export type EmployeeMailState = (typeof employeeMailStates)[number];
