import type {
  ActorType,
  ApprovalState,
  ChargeType,
  ConsentWay,
  ContractStatus,
  DeliveryState,
  EndpointState,
  EventType,
  HrLinkType,
  IntegrationStatus,
  IntegrationType,
  OnboardingStatus,
  PayrollSystem,
  Permission,
  PersonnelNumberRule,
  PlanType,
  RecordOutcome,
  Role,
  SubscriptionStatus,
  SyncState,
  TaxTreatment,
} from '../../../../src/domain/enums.ts';
import type { UpcomingType } from '../../../../src/domain/subscription/public-dates.ts';
import type { ChangeSource } from '../../../../src/domain/subscription/sources.ts';
import type { Cause } from '../../../../src/domain/subscription/transitions.ts';
import type { KeyState } from '../../../../src/features/keys/contract.ts';

/** Every enum that pages show. A missing word is a compile error. */
export interface Words {
  subscriptionStatus: Record<SubscriptionStatus, string>;
  plan: Record<PlanType, string>;
  contract: Record<ContractStatus, string>;
  permission: Record<Permission, string>;
  permissionHint: Record<Permission, string>;
  keyState: Record<KeyState, string>;
  integrationType: Record<IntegrationType, string>;
  integrationStatus: Record<IntegrationStatus, string>;
  onboarding: Record<OnboardingStatus, string>;
  syncState: Record<SyncState, string>;
  recordOutcome: Record<RecordOutcome, string>;
  approvalState: Record<ApprovalState, string>;
  /** Followed by a date. */
  upcoming: Record<UpcomingType, string>;
  hrLink: Record<HrLinkType, string>;
  charge: Record<ChargeType, string>;
  cause: Record<Cause, string>;
  /** Sentences for rules. Without a translation, the stored English sentence is shown. */
  source: Record<ChangeSource, string>;
  consentWay: Record<ConsentWay, string>;
  actor: Record<ActorType, string>;
  personnelNumberRule: Record<PersonnelNumberRule, string>;
  payrollSystem: Record<PayrollSystem, string>;
  taxTreatment: Record<TaxTreatment, string>;
  role: Record<Role, string>;
  eventType: Record<EventType, string>;
  deliveryState: Record<DeliveryState, string>;
  /** The state of an endpoint, in which the last attempt counts. */
  endpointHealth: Record<EndpointState | 'failing', string>;
}

export const en: Words = {
  subscriptionStatus: {
    'no-subscription': 'No subscription',
    scheduled: 'Scheduled',
    active: 'Active',
    'scheduled-pause': 'Pause scheduled',
    paused: 'Paused',
    'scheduled-cancellation': 'End scheduled',
    cancelled: 'Ended',
  },
  plan: {
    'fully-subsidized-plan': 'Fully subsidized',
    'deferred-plan': 'Deferred',
    'split-pay-plan': 'Split pay',
  },
  contract: { pending: 'Pending', accepted: 'Accepted', rejected: 'Rejected' },
  permission: {
    'view-employees': 'Read employees',
    'view-hr-integrations': 'Read HR integrations',
    'view-billing': 'Read billing',
    'add-employees': 'Add employees',
    'update-employees': 'Update employees',
    'remove-employees': 'Remove employees',
  },
  permissionHint: {
    'view-employees': 'Employees, their subscriptions, tickets and documents.',
    'view-hr-integrations': 'Integrations, their syncs and the results.',
    'view-billing': 'Charges of all billing periods.',
    'add-employees': 'A sync can add employees.',
    'update-employees': 'A sync can update employees and their subscriptions.',
    'remove-employees': 'A sync can offboard employees who are no longer in the roster.',
  },
  keyState: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  integrationType: { 'hr-integration': 'HR system', 'api-integration': 'API' },
  integrationStatus: { active: 'Active', invalid: 'Credentials invalid', inactive: 'Inactive' },
  onboarding: {
    incomplete: 'Setup incomplete',
    'final-sync-pending': 'Waiting for first sync',
    completed: 'Set up',
  },
  syncState: {
    accepted: 'Waiting',
    processing: 'Running',
    succeeded: 'Succeeded',
    'partially-failed': 'Partially failed',
    failed: 'Failed',
    'authentication-failed': 'Sign-in failed',
  },
  recordOutcome: { created: 'Created', updated: 'Updated', offboarded: 'Offboarded', held: 'Held', failed: 'Failed' },
  approvalState: {
    pending: 'Waiting for approval',
    approved: 'Approved',
    rejected: 'Rejected',
    replaced: 'Replaced by a newer sync',
  },
  upcoming: { start: 'Starts on', pause: 'Pauses on', resumption: 'Resumes on', cancellation: 'Ends on' },
  hrLink: { custom: 'Linked manually', 'hr-integration': 'Linked by sync' },
  charge: {
    'service-charge': 'Service fee',
    'ticket-charge': 'Ticket',
    'hr-integration-charge': 'HR integration',
    'hr-payroll-integration-charge': 'Payroll integration',
    'api-charge': 'API access',
  },
  cause: {
    termination: 'Employment ends',
    'termination-withdrawn': 'Termination withdrawn',
    offboard: 'No longer in the roster',
    return: 'Back in the roster',
    'opt-out': 'Opted out in the HR system',
    subscribe: 'Subscribed',
    start: 'Start date changed',
    'not-subscribed': 'Not subscribed',
    absence: 'Absence',
    'absence-withdrawn': 'Absence withdrawn',
    'contract-accepted': 'Contract accepted',
    'contract-rejected': 'Contract rejected',
    cancel: 'Ended on request',
    pause: 'Paused on request',
    resume: 'Resumed on request',
    calendar: 'Scheduled date reached',
  },
  source: { sync: 'HR sync', absence: 'Absence', contract: 'Contract', user: 'User', calendar: 'Calendar' },
  consentWay: { electronically: 'Electronically', 'on-paper': 'On paper' },
  actor: { key: 'API key', user: 'User', operator: 'Operator', employee: 'Employee', service: 'Service' },
  personnelNumberRule: { 'hr-id': 'The HR ID as it is', 'hr-id-digits': 'Only the digits of the HR ID' },
  payrollSystem: { csv: 'CSV file', 'datev-lodas': 'DATEV LODAS', 'datev-lug': 'DATEV Lohn und Gehalt' },
  taxTreatment: { 'tax-free': 'Tax-free (§ 3 Nr. 15 EStG)', 'flat-tax': 'Flat tax (§ 40 Abs. 2 EStG)' },
  role: { admin: 'Admin', hr: 'HR', payroll: 'Payroll', developer: 'Developer', viewer: 'Viewer' },
  eventType: {
    'employee-subscription-changed': 'Subscription changed',
    'employee-created': 'Employee added',
    'employee-removed': 'Employee removed',
    'new-employee-document-generated': 'Document available',
    'tickets-issued': 'Tickets issued',
    'billing-items-created': 'Charges created',
    'sync-finished': 'Sync finished',
    'sync-removals-held': 'Removals require approval',
    'hr-integration-status-changed': 'HR integration status changed',
    'roster-overdue': 'Roster overdue',
    'payroll-export-ready': 'Payroll export available',
    'invoice-issued': 'Invoice issued',
    'webhook-test': 'Test event',
  },
  deliveryState: { pending: 'Pending', succeeded: 'Delivered', failed: 'Failed' },
  endpointHealth: { enabled: 'Active', failing: 'Failing', disabled: 'Disabled' },
};
