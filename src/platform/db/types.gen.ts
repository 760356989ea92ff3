// Generated from the migrated database by `npm run generate`. Do not edit.

import type { Generated, GeneratedAlways } from 'kysely';
import type {
  Environment,
  Permission,
  SubscriptionStatus,
  PlanType,
  JoiningWay,
  ContractStatus,
  ContractDecision,
  ConsentWay,
  BatchOutcome,
  RequestAction,
  BatchAction,
  Side,
  RequestStatus,
  EndCause,
  NotSubscribedReason,
  ChargeType,
  FeeType,
  LateCause,
  InvoiceKind,
  DocumentKind,
  IssuerKind,
  OrderState,
  OrderActor,
  BarcodeFormat,
  OrderSection,
  ReturnOrigin,
  IntegrationType,
  IntegrationStatus,
  OnboardingStatus,
  SyncOutcome,
  SyncState,
  RecordOutcome,
  ApprovalState,
  PayrollSystem,
  PersonnelNumberRule,
  TaxTreatment,
  PlanChangeOutcome,
  NoAnswerRule,
  HrIdAttribute,
  CaseKind,
  Provider,
  PullSchedule,
  PullKind,
  PullState,
  Role,
  StoredRole,
  ReplacementReason,
  ActorType,
  EventType,
  EndpointState,
  EndpointDisabledReason,
  DeliveryState,
  AccessMethod,
  Language,
  MailState,
  EmployeeMailState,
} from '../../domain/enums.ts';

export interface AbsencesTable {
  company_id: number;
  id: GeneratedAlways<number>;
  employee_id: number;
  starts_on: string;
  ends_on: string | null;
  approved: boolean;
  by_hand: Generated<boolean>;
}

export interface ApiKeyUsageTable {
  company_id: number;
  key_id: string;
  hour: string;
  requests: number;
  client_errors: number;
  server_errors: number;
  last_address: string | null;
}

export interface ApiKeysTable {
  company_id: number;
  id: string;
  name: string;
  permissions: Permission[];
  secret_hash: Buffer;
  previous_secret_hash: Buffer | null;
  previous_valid_until: string | null;
  created_at: Generated<string>;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  created_by: string | null;
  secret_shown_to: string | null;
  requested_permissions: string[] | null;
}

export interface ApiRequestBatchesTable {
  company_id: number;
  last_at: string;
  id: string;
  requests: unknown;
}

export interface AuditLogTable {
  company_id: number;
  id: GeneratedAlways<number>;
  at: Generated<string>;
  actor_type: ActorType;
  actor: string | null;
  action: string;
  target: string | null;
  detail: Generated<unknown>;
}

export interface BillingItemsTable {
  company_id: number;
  id: GeneratedAlways<number>;
  period: string;
  charge_type: ChargeType;
  net_cents: number;
  tax_cents: number;
  gross_cents: number;
  employee_id: number | null;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  hr_id: string | null;
  plan_type: PlanType | null;
  company_share_cents: number | null;
  employee_share_cents: number | null;
  hr_integration_id: number | null;
  corrects_id: number | null;
  billed_at: string;
  reason: string | null;
  corrects_period: string | null;
  ticket_month: string | null;
  quantity: number | null;
  used_period: string | null;
}

export interface BillingQuantitiesTable {
  company_id: number;
  id: GeneratedAlways<number>;
  period: string;
  charge_type: FeeType;
  hr_integration_id: number | null;
  quantity: number;
}

export interface BillingTotalsTable {
  company_id: number;
  period: string;
  charge_type: ChargeType;
  items: number;
  net_cents: number;
  tax_cents: number;
  gross_cents: number;
}

export interface CompaniesTable {
  id: GeneratedAlways<number>;
  name: string;
  locale: Generated<string>;
  currency: Generated<string>;
  time_zone: Generated<string>;
  plan_type: Generated<PlanType>;
  contribution_cents: Generated<number>;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  cut_off_day: Generated<number>;
  guard_minimum_linked: Generated<number>;
  guard_maximum_absent_percent: Generated<number>;
  retention_days: Generated<number>;
  processed_through: string;
  audit_retention_days: Generated<number>;
  payroll_system: Generated<PayrollSystem>;
  payroll_consultant: number | null;
  payroll_client: number | null;
  wage_type_tax_free: number | null;
  wage_type_flat_tax: number | null;
  wage_type_deduction: number | null;
  tax_treatment: Generated<TaxTreatment>;
  benefit_valuation: Generated<number>;
  legal_name: string | null;
  street: string | null;
  post_code: string | null;
  city: string | null;
  country: string | null;
  vat_id: string | null;
  invoice_email: string | null;
  buyer_reference: string | null;
  session_idle_minutes: Generated<number>;
  second_factor_required: Generated<boolean>;
  personnel_number_rule: Generated<PersonnelNumberRule>;
  logo: Buffer | null;
  switched_off_mails: Generated<string[]>;
  mail_reply_to: string | null;
  joining: Generated<JoiningWay>;
  invite_automatically: Generated<boolean>;
  agreement_paragraph: string | null;
  issuer: Generated<IssuerKind>;
}

export interface CompanyPriceListsTable {
  company_id: number;
  from_on: string;
  price_list: string | null;
}

export interface CompanyVersionsTable {
  company_id: number;
  version: number;
  event_sequence: Generated<number>;
}

export interface ContractBatchItemsTable {
  company_id: number;
  batch_id: number;
  employee_id: number;
  outcome: BatchOutcome | null;
  request_id: number | null;
  from_on: string | null;
  message: unknown | null;
}

export interface ContractBatchesTable {
  company_id: number;
  id: GeneratedAlways<number>;
  decision: BatchAction;
  actor_type: string;
  actor: string | null;
  total: number;
  decided: Generated<number>;
  refused: Generated<number>;
  created_at: string;
  finished_at: string | null;
  consent_given: string | null;
  consent_on: string | null;
  recorded_by: string | null;
  from_on: string | null;
  until_on: string | null;
  reason: string | null;
  undo_of: number | null;
}

export interface ContractSignaturesTable {
  company_id: number;
  employee_id: number;
  sha256: Buffer;
  decision: ContractDecision;
  decided_at: string;
  store_key: string;
  size_bytes: number;
}

export interface CorrectionProposalsTable {
  company_id: number;
  item_id: number;
  employee_id: number;
  cause: LateCause;
  proposed_at: string;
  kept_at: string | null;
}

export interface DocumentCountsTable {
  company_id: number;
  documents: number;
}

export interface DocumentsTable {
  company_id: number;
  id: GeneratedAlways<number>;
  employee_id: number | null;
  name: string;
  search_text: string;
  file_type: string;
  store_key: string | null;
  sha256: Buffer | null;
  size_bytes: number | null;
  downloadable: GeneratedAlways<boolean>;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  removed_at: string | null;
  kind: DocumentKind | null;
  about: string | null;
  edition: string | null;
  content: unknown | null;
}

export interface EmployeeAccessLinksTable {
  company_id: number;
  id: string;
  employee_id: number;
  token_hash: Buffer;
  browser_hash: Buffer | null;
  other_companies: unknown | null;
  created_at: Generated<string>;
  expires_at: string;
}

export interface EmployeeCountsTable {
  company_id: number;
  subscription_status: SubscriptionStatus;
  plan_type: PlanType;
  employees: number;
}

export interface EmployeeLetterCodesTable {
  company_id: number;
  employee_id: number;
  hr_key: string;
  salt: Buffer;
  code_hash: Buffer;
  attempts: Generated<number>;
  created_at: Generated<string>;
  expires_at: string;
}

export interface EmployeeMailsTable {
  company_id: number;
  employee_id: number;
  kind: string;
  occasion: string;
  urgency: number;
  language: Language;
  recipient: string | null;
  encrypted_values: string | null;
  state: Generated<EmployeeMailState>;
  attempts: Generated<number>;
  next_attempt_at: string | null;
  expires_at: string;
  last_error: string | null;
  created_at: Generated<string>;
  finished_at: string | null;
}

export interface EmployeeSessionsTable {
  company_id: number;
  id: string;
  employee_id: number;
  token_hash: Buffer;
  method: AccessMethod;
  connection_company_id: number | null;
  device: string | null;
  created_at: Generated<string>;
  last_used_at: Generated<string>;
  connection_issuer: string | null;
}

export interface EmployeesTable {
  company_id: number;
  id: GeneratedAlways<number>;
  first_name: string;
  last_name: string;
  email: string;
  email_key: string;
  search_text: string;
  date_of_birth: string | null;
  profile_image: string | null;
  employed_from: string | null;
  terminated_on: string | null;
  auto_subscribe: boolean | null;
  subscription_status: Generated<SubscriptionStatus>;
  start_on: string | null;
  next_ticket_on: string | null;
  paused_on: string | null;
  cancelled_on: string | null;
  reactivated_on: string | null;
  plan_type: PlanType;
  contract_status: ContractStatus | null;
  contribution_cents: number | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  removed_at: string | null;
  resumes_on: string | null;
  cancel_causes: Generated<EndCause[]>;
  pause_requested: Generated<boolean>;
  is_leaving: Generated<boolean>;
  removes_on: string | null;
  due_on: Generated<string | null>;
  not_subscribed_because: NotSubscribedReason | null;
  past_start_on: string | null;
  past_paused_on: string | null;
  past_cancelled_on: string | null;
  past_reactivated_on: string | null;
  personnel_number: string | null;
  set_by_hand: Generated<string[]>;
  requested: unknown | null;
  language: Language | null;
  switched_off_mails: Generated<string[]>;
  roster_group: string | null;
  policy_id: number | null;
  plan_change: unknown | null;
}

export interface EnvironmentTable {
  one_row: Generated<boolean>;
  name: Environment;
  clock_ahead_seconds: Generated<number>;
  secret_check: string | null;
}

export interface EventsTable {
  company_id: number;
  sequence: number;
  id: string;
  type: EventType;
  occurred_at: string;
  payload: unknown;
}

export interface FeePricesTable {
  charge_type: FeeType;
  valid_from: string;
  net_cents: number;
  tax_percent: number;
}

export interface FetchedFilesTable {
  company_id: number;
  month: string;
  path: string;
  bytes: number;
  modified_at: string;
  fetched_at: string;
  problem: unknown | null;
}

export interface HrConnectorsTable {
  company_id: number;
  hr_integration_id: number;
  provider: Provider;
  encrypted_credentials: string;
  mapping: unknown;
  mapping_version: Generated<number>;
  nightly_time: string;
  next_pull_at: string | null;
  attempts: Generated<number>;
  refused_at: string | null;
  failure_code: string | null;
  failure_reason: string | null;
  last_people: number | null;
  connected_at: Generated<string>;
  updated_at: Generated<string>;
  memory: unknown | null;
  failure_message: unknown | null;
  pull_every: Generated<PullSchedule>;
  hint_token_hash: Buffer | null;
  encrypted_hint_secret: string | null;
  hinted_at: string | null;
}

export interface HrIntegrationsTable {
  company_id: number;
  id: GeneratedAlways<number>;
  name: string;
  type: IntegrationType;
  status: IntegrationStatus;
  initial_connection_status: OnboardingStatus;
  last_sync_id: string | null;
  last_synced_at: string | null;
  last_sync_status: SyncOutcome | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  roster_sync_id: string | null;
  roster_synced_at: string | null;
  upload_columns: unknown | null;
  roster_due_at: string | null;
  overdue_since: string | null;
  push_ends_at: string | null;
  deleted_at: string | null;
}

export interface HrLinksTable {
  company_id: number;
  id: GeneratedAlways<number>;
  employee_id: number;
  hr_integration_id: number | null;
  hr_id: string;
  last_sync_id: string | null;
  last_synced_at: string | null;
  entry_hash: string | null;
  is_current: Generated<boolean>;
}

export interface IdempotencyKeysTable {
  company_id: number;
  api_key_id: string;
  idempotency_key: string;
  request_hash: Buffer;
  attempt: string;
  held_until: string | null;
  created_at: Generated<string>;
  status: number | null;
  body: string | null;
}

export interface IntegrationCaseExchangesTable {
  company_id: number;
  case_id: number;
  number: number;
  content: Buffer;
}

export interface IntegrationCasesTable {
  company_id: number;
  id: GeneratedAlways<number>;
  hr_integration_id: number;
  kind: CaseKind;
  requested_by: string;
  requested_at: string;
  ends_at: string;
  erased_at: string;
  pseudonym_key: Buffer | null;
  exchanges: Generated<number>;
  content: Buffer | null;
}

export interface InvitationsTable {
  company_id: number;
  id: GeneratedAlways<number>;
  token_hash: Buffer;
  email: string;
  role: StoredRole;
  invited_by: string;
  created_at: Generated<string>;
  expires_at: string;
  accepted_at: string | null;
  revoked_at: string | null;
  roles: Role[] | null;
  is_mailed: Generated<boolean>;
}

export interface InvoiceNumbersTable {
  id: Generated<boolean>;
  last_number: number;
}

export interface InvoiceStartTable {
  id: Generated<boolean>;
  after_item_id: number;
}

export interface InvoicesTable {
  company_id: number;
  id: GeneratedAlways<number>;
  kind: InvoiceKind;
  period: string;
  number: number | null;
  issued_on: string;
  due_on: string;
  net_cents: number;
  tax_cents: number;
  gross_cents: number;
  content: unknown;
  through_item_id: number;
  files: unknown | null;
  created_at: string;
}

export interface IssuerInvoicesTable {
  company_id: number;
  month: string;
  compared_at: string;
  lines: number;
  billed_cents: number;
  expected_cents: number;
  differences: unknown;
  difference_count: number;
}

export interface IssuerReconciliationsTable {
  company_id: number;
  id: GeneratedAlways<number>;
  month: string;
  reconciled_at: string;
  required: number;
  issued: number;
  differences: unknown;
  difference_count: number;
}

export interface IssuerSettingsTable {
  company_id: number;
  url: string | null;
  encrypted_token: string | null;
  callback_token: string | null;
  encrypted_callback_secret: string | null;
  cut_off_day: number;
  lead_days: number;
  product: string;
  price_list: Generated<unknown>;
  mapping: unknown | null;
  next_run_at: string | null;
  paused_until: string | null;
  failing_since: string | null;
  failures: Generated<number>;
  last_error: unknown | null;
  documents_due: string | null;
  reconcile_due: string | null;
  updated_at: Generated<string>;
  delivery: string | null;
  encrypted_delivery: string | null;
  delivery_settings: unknown | null;
}

export interface JoiningInvitationsTable {
  company_id: number;
  employee_id: number;
  number: Generated<number>;
  invited_at: string;
  invited_on: string;
  opened_at: string | null;
  declined_at: string | null;
  lettered_at: string | null;
  reminders: Generated<number>;
  reminded_on: string | null;
}

export interface JoiningLinksTable {
  company_id: number;
  token_hash: Buffer;
  employee_id: number;
}

export interface MailPaceTable {
  is_only: Generated<boolean>;
  free_at: string;
}

export interface MailsTable {
  company_id: number;
  key: string;
  template: string;
  language: Language;
  recipient: string | null;
  encrypted_values: string | null;
  state: Generated<MailState>;
  attempts: Generated<number>;
  next_attempt_at: string | null;
  expires_at: string;
  last_error: string | null;
  created_at: Generated<string>;
  finished_at: string | null;
}

export interface OrderFileEntriesTable {
  company_id: number;
  employee_id: number;
  order_month: string;
  attempt: number;
  is_end: boolean;
  section: OrderSection;
  previous_order_id: string | null;
  file_month: string;
  file_number: number;
}

export interface OrderFilesTable {
  company_id: number;
  month: string;
  number: number;
  created_at: string;
  delivered_at: string | null;
  due_at: string | null;
  attempts: Generated<number>;
  leased_until: string | null;
  prepared_as: string | null;
  delivered_to: string | null;
  problem: unknown | null;
}

export interface PayrollExportsTable {
  company_id: number;
  period: string;
  exported_at: string;
}

export interface PayrollFileItemsTable {
  company_id: number;
  item_id: number;
  file_id: number;
  personnel_number: string;
  tax_treatment: TaxTreatment;
  benefit_cents: number;
  deduction_cents: number;
}

export interface PayrollFilesTable {
  company_id: number;
  id: GeneratedAlways<number>;
  number: number;
  period: string;
  system: PayrollSystem;
  lines: number;
  employees: number;
  tax_free_cents: number;
  flat_tax_cents: number;
  deduction_cents: number;
  content: Buffer;
  size_bytes: number;
  sha256: Buffer;
  exported_at: string;
  exported_by: string;
  exported_by_user: string | null;
  voided_at: string | null;
  voided_by: string | null;
  voided_by_user: string | null;
  void_reason: string | null;
}

export interface PayrollHandoversTable {
  company_id: number;
  file_id: number;
  handed_over_at: string;
  handed_over_by: string;
  handed_over_by_user: string | null;
}

export interface PayrollLinesTable {
  company_id: number;
  period: string;
  item_id: number;
  hr_id: string;
  is_named: boolean;
}

export interface PlanChangeItemsTable {
  company_id: number;
  change_id: number;
  employee_id: number;
  old_plan_type: string;
  old_contribution_cents: number | null;
  new_plan_type: string;
  new_contribution_cents: number | null;
  old_share_cents: number;
  new_share_cents: number;
  needs_agreement: boolean;
  outcome: PlanChangeOutcome | null;
  reminders: Generated<number>;
  reminded_on: string | null;
}

export interface PlanChangesTable {
  company_id: number;
  id: GeneratedAlways<number>;
  policy_id: number;
  from_on: string;
  deadline_on: string | null;
  no_answer: NoAnswerRule;
  created_at: Generated<string>;
  settled_at: string | null;
  finished_at: string | null;
}

export interface PoliciesTable {
  company_id: number;
  id: GeneratedAlways<number>;
  name: string;
  is_default: Generated<boolean>;
  position: Generated<number>;
  groups: Generated<string[]>;
  created_at: Generated<string>;
}

export interface PolicyVersionsTable {
  company_id: number;
  policy_id: number;
  from_on: string;
  plan_type: PlanType;
  employee_cents: number | null;
  employer_cents: number | null;
  employer_percent: number | null;
  minimum_cents: number | null;
  maximum_cents: number | null;
  waiting_months: Generated<number>;
  tax_treatment: TaxTreatment | null;
}

export interface PortalAccountsTable {
  id: string;
  user_id: string;
  provider_id: string;
  account_id: string;
  password: string | null;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: string | null;
  refresh_token_expires_at: string | null;
  scope: string | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
}

export interface PortalKnownNetworksTable {
  user_id: string;
  network: string;
  last_used_at: Generated<string>;
}

export interface PortalPasskeysTable {
  id: string;
  user_id: string;
  company_id: number;
  name: string;
  credential_id: string;
  public_key: string;
  counter: Generated<number>;
  transports: Generated<string[]>;
  is_synced: Generated<boolean>;
  created_at: Generated<string>;
  last_used_at: string | null;
  user_handle: string | null;
}

export interface PortalSecondFactorsTable {
  user_id: string;
  company_id: number;
  encrypted_secret: string;
  confirmed_at: string | null;
  last_step: Generated<number>;
  recovery_hashes: Generated<string[]>;
  created_at: Generated<string>;
}

export interface PortalSessionsTable {
  id: string;
  token: string;
  user_id: string;
  expires_at: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  last_used_at: string | null;
  stepped_up_at: string | null;
  method: string | null;
  connection_company_id: number | null;
}

export interface PortalSignInFailuresTable {
  email_hash: Buffer;
  failures: number;
  ends_at: string;
}

export interface PortalUsersTable {
  id: string;
  company_id: number;
  name: string;
  email: string;
  email_verified: Generated<boolean>;
  image: string | null;
  role: StoredRole;
  last_sign_in_at: string | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  removed_at: string | null;
  roles: Role[] | null;
  address_proven_at: string | null;
  language: string | null;
  switched_off_notices: string[] | null;
  saved_views: unknown | null;
}

export interface PortalVerificationsTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: string;
  created_at: Generated<string>;
  updated_at: Generated<string>;
}

export interface PriceListFeesTable {
  price_list: string;
  charge_type: FeeType;
  valid_from: string;
  net_cents: number;
}

export interface PriceListsTable {
  name: string;
  created_at: string;
}

export interface PullsTable {
  company_id: number;
  id: GeneratedAlways<number>;
  hr_integration_id: number;
  kind: PullKind;
  night: string | null;
  attempt: Generated<number>;
  state: PullState;
  sync_id: string;
  requested_by: string;
  requested_by_user: string | null;
  mapping_version: number | null;
  pages_read: Generated<number>;
  people_read: Generated<number>;
  people_total: number | null;
  reason: string | null;
  preview: unknown | null;
  explanations: Buffer | null;
  requested_at: string;
  started_at: string | null;
  finished_at: string | null;
  message: unknown | null;
}

export interface RateLimitWindowsTable {
  name_hash: Buffer;
  hits: number;
  ends_at: string;
}

export interface ReturnedFilesTable {
  company_id: number;
  month: string;
  sha256: Buffer;
  name: string;
  received_at: string;
  received_from: ReturnOrigin;
  applied_at: string | null;
  row_count: number;
  issued: Generated<number>;
  failed: Generated<number>;
  unchanged: Generated<number>;
}

export interface ReturnedRowsTable {
  company_id: number;
  id: GeneratedAlways<number>;
  month: string;
  sha256: Buffer;
  row_number: number;
  cells: unknown;
  problem: unknown;
  suggested_order_id: string | null;
}

export interface ScimConnectionsTable {
  company_id: number;
  hr_integration_id: number;
  token_hash: Buffer | null;
  token_created_at: string | null;
  last_used_at: string | null;
  hr_id_attribute: Generated<HrIdAttribute>;
  changes: Generated<number>;
  collect_at: string | null;
  previous_token_hash: Buffer | null;
  previous_token_until: string | null;
}

export interface ScimGroupMembersTable {
  company_id: number;
  group_id: number;
  user_id: number;
}

export interface ScimGroupsTable {
  company_id: number;
  id: GeneratedAlways<number>;
  hr_integration_id: number;
  display_name: string;
  external_id: string | null;
  version: Generated<number>;
  created_at: string;
  updated_at: string;
}

export interface ScimUsersTable {
  company_id: number;
  id: GeneratedAlways<number>;
  hr_integration_id: number;
  user_name: string;
  user_name_key: string;
  external_id: string | null;
  employee_number: string | null;
  active: boolean;
  hr_id: string | null;
  email_key: string | null;
  attributes: unknown;
  version: Generated<number>;
  created_at: string;
  updated_at: string;
  left_at: string | null;
  deleted_at: string | null;
  removal_rejected: Generated<boolean>;
}

export interface SellerSettingsTable {
  id: GeneratedAlways<number>;
  seller: unknown;
  set_at: string;
}

export interface SigningLinksTable {
  company_id: number;
  employee_id: number;
  token_hash: Buffer;
  number: Generated<number>;
  created_at: Generated<string>;
  expires_at: string;
  agreement: unknown | null;
  store_key: string | null;
  sha256: Buffer | null;
  size_bytes: number | null;
  opened_at: string | null;
}

export interface SigningRemindersTable {
  company_id: number;
  employee_id: number;
  reminded_on: string;
  link_number: number;
  token_hash: Buffer;
}

export interface SsoConnectionsTable {
  company_id: number;
  issuer: string;
  client_id: string;
  encrypted_client_secret: string;
  default_roles: Role[];
  groups_claim: Generated<string>;
  group_roles: Generated<unknown>;
  is_enforced: Generated<boolean>;
  break_glass_user_id: string | null;
  updated_at: Generated<string>;
}

export interface SsoDomainsTable {
  domain: string;
  company_id: number;
  token: string;
  proven_at: string | null;
  created_at: Generated<string>;
}

export interface SubscriptionChangesTable {
  company_id: number;
  employee_id: number;
  id: GeneratedAlways<number>;
  known_on: string;
  effective_on: string;
  cause: string;
  rule: string;
  detail: string;
  from_status: string;
  to_status: string;
  fields: unknown;
  recorded_at: Generated<string>;
  actor_type: Generated<ActorType>;
  actor: string | null;
  sync_key: number | null;
  message: unknown | null;
}

export interface SubscriptionRequestsTable {
  company_id: number;
  id: GeneratedAlways<number>;
  employee_id: number;
  action: RequestAction;
  side: Side;
  from_on: string;
  until_on: string | null;
  reason: string | null;
  consent_given: ConsentWay | null;
  consent_on: string | null;
  actor_type: ActorType;
  actor: string | null;
  requested_at: string;
  status: Generated<RequestStatus>;
  replaced_by: number | null;
  undo_until: string | null;
  undone_at: string | null;
  undone_by_type: ActorType | null;
  undone_by: string | null;
  before: unknown;
  after: unknown;
}

export interface SyncRecordsTable {
  company_id: number;
  sync_key: number;
  id: GeneratedAlways<number>;
  hr_id: string;
  employee_id: number | null;
  outcome: RecordOutcome;
  code: string;
  detail: string;
  changes: unknown;
  reasons: unknown;
  message: unknown | null;
}

export interface SyncRostersTable {
  company_id: number;
  sync_key: number;
  part: number;
  content: Buffer;
  keys: Buffer | null;
}

export interface SyncsTable {
  company_id: number;
  id: GeneratedAlways<number>;
  hr_integration_id: number;
  sync_id: string;
  state: SyncState;
  pushed_by: string;
  accepted_at: Generated<string>;
  started_at: string | null;
  finished_at: string | null;
  content_hash: Generated<Buffer>;
  entry_count: Generated<number>;
  attempts: Generated<number>;
  reason: string | null;
  created_count: Generated<number>;
  updated_count: Generated<number>;
  unchanged_count: Generated<number>;
  offboarded_count: Generated<number>;
  held_count: Generated<number>;
  failed_count: Generated<number>;
  held_state: ApprovalState | null;
  pushed_by_user: string | null;
  warnings: Generated<unknown>;
  decided_by: string | null;
  decided_by_user: string | null;
  decided_at: string | null;
  request_id: string | null;
  message: unknown | null;
  file_name: string | null;
  left_out: unknown | null;
  effects: unknown | null;
}

export interface TicketOrdersTable {
  company_id: number;
  employee_id: number;
  month: string;
  attempt: number;
  order_id: string;
  state: Generated<OrderState>;
  reason: unknown | null;
  reason_code: string | null;
  responsible: OrderActor | null;
  first_name: string | null;
  last_name: string | null;
  date_of_birth: string | null;
  product: string | null;
  required_at: string;
  ordered_at: string | null;
  answered_at: string | null;
  ended_at: string | null;
  replaces_attempt: number | null;
  next_attempt_at: string | null;
  failures: Generated<number>;
  is_at_issuer: Generated<boolean>;
  number: string | null;
  valid_from: string | null;
  valid_until: string | null;
  barcode: string | null;
  barcode_format: BarcodeFormat | null;
  barcode_hash: Buffer | null;
  chip_card_number: string | null;
  activation_code: string | null;
}

export interface TicketPricesTable {
  valid_from: string;
  list_cents: number;
  tax_percent: number;
  discount_percent: number;
  discount_share_percent: number;
}

export interface TicketReplacementsTable {
  company_id: number;
  employee_id: number;
  month: string;
  number: number;
  ticket_id: string;
  reason: ReplacementReason;
  actor_type: ActorType;
  replaced_at: string;
}

export interface TicketsTable {
  company_id: number;
  employee_id: number;
  month: string;
  ticket_id: string;
  valid_from: string;
  valid_until: string;
  wallet_token: string;
  issued_at: Generated<string>;
  plan_type: PlanType;
  contribution_cents: number | null;
  issuer_number: string | null;
  barcode: string | null;
  barcode_format: BarcodeFormat | null;
  blocked_at: string | null;
  block_reason: string | null;
  chip_card_number: string | null;
  activation_code: string | null;
}

export interface WebhookAttemptsTable {
  company_id: number;
  endpoint_id: number;
  sequence: number;
  attempt: number;
  event_id: string;
  event_type: string;
  attempted_at: string;
  status: number | null;
  error: string | null;
  duration_ms: number;
  response_body: Generated<string>;
}

export interface WebhookDeliveriesTable {
  company_id: number;
  endpoint_id: number;
  sequence: number;
  event_id: string;
  event_type: string;
  state: Generated<DeliveryState>;
  attempts: Generated<number>;
  failures: Generated<number>;
  next_attempt_at: string | null;
  last_status: number | null;
  created_at: Generated<string>;
  finished_at: string | null;
}

export interface WebhookEndpointsTable {
  company_id: number;
  id: GeneratedAlways<number>;
  url: string;
  event_types: Generated<string[]>;
  description: Generated<string>;
  state: Generated<EndpointState>;
  disabled_reason: EndpointDisabledReason | null;
  disabled_at: string | null;
  encrypted_secret: string;
  encrypted_previous_secret: string | null;
  previous_secret_until: string | null;
  cursor_sequence: number;
  failing_since: string | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
}

export interface DB {
  absences: AbsencesTable;
  api_key_usage: ApiKeyUsageTable;
  api_keys: ApiKeysTable;
  api_request_batches: ApiRequestBatchesTable;
  audit_log: AuditLogTable;
  billing_items: BillingItemsTable;
  billing_quantities: BillingQuantitiesTable;
  billing_totals: BillingTotalsTable;
  companies: CompaniesTable;
  company_price_lists: CompanyPriceListsTable;
  company_versions: CompanyVersionsTable;
  contract_batch_items: ContractBatchItemsTable;
  contract_batches: ContractBatchesTable;
  contract_signatures: ContractSignaturesTable;
  correction_proposals: CorrectionProposalsTable;
  document_counts: DocumentCountsTable;
  documents: DocumentsTable;
  employee_access_links: EmployeeAccessLinksTable;
  employee_counts: EmployeeCountsTable;
  employee_letter_codes: EmployeeLetterCodesTable;
  employee_mails: EmployeeMailsTable;
  employee_sessions: EmployeeSessionsTable;
  employees: EmployeesTable;
  environment: EnvironmentTable;
  events: EventsTable;
  fee_prices: FeePricesTable;
  fetched_files: FetchedFilesTable;
  hr_connectors: HrConnectorsTable;
  hr_integrations: HrIntegrationsTable;
  hr_links: HrLinksTable;
  idempotency_keys: IdempotencyKeysTable;
  integration_case_exchanges: IntegrationCaseExchangesTable;
  integration_cases: IntegrationCasesTable;
  invitations: InvitationsTable;
  invoice_numbers: InvoiceNumbersTable;
  invoice_start: InvoiceStartTable;
  invoices: InvoicesTable;
  issuer_invoices: IssuerInvoicesTable;
  issuer_reconciliations: IssuerReconciliationsTable;
  issuer_settings: IssuerSettingsTable;
  joining_invitations: JoiningInvitationsTable;
  joining_links: JoiningLinksTable;
  mail_pace: MailPaceTable;
  mails: MailsTable;
  order_file_entries: OrderFileEntriesTable;
  order_files: OrderFilesTable;
  payroll_exports: PayrollExportsTable;
  payroll_file_items: PayrollFileItemsTable;
  payroll_files: PayrollFilesTable;
  payroll_handovers: PayrollHandoversTable;
  payroll_lines: PayrollLinesTable;
  plan_change_items: PlanChangeItemsTable;
  plan_changes: PlanChangesTable;
  policies: PoliciesTable;
  policy_versions: PolicyVersionsTable;
  portal_accounts: PortalAccountsTable;
  portal_known_networks: PortalKnownNetworksTable;
  portal_passkeys: PortalPasskeysTable;
  portal_second_factors: PortalSecondFactorsTable;
  portal_sessions: PortalSessionsTable;
  portal_sign_in_failures: PortalSignInFailuresTable;
  portal_users: PortalUsersTable;
  portal_verifications: PortalVerificationsTable;
  price_list_fees: PriceListFeesTable;
  price_lists: PriceListsTable;
  pulls: PullsTable;
  rate_limit_windows: RateLimitWindowsTable;
  returned_files: ReturnedFilesTable;
  returned_rows: ReturnedRowsTable;
  scim_connections: ScimConnectionsTable;
  scim_group_members: ScimGroupMembersTable;
  scim_groups: ScimGroupsTable;
  scim_users: ScimUsersTable;
  seller_settings: SellerSettingsTable;
  signing_links: SigningLinksTable;
  signing_reminders: SigningRemindersTable;
  sso_connections: SsoConnectionsTable;
  sso_domains: SsoDomainsTable;
  subscription_changes: SubscriptionChangesTable;
  subscription_requests: SubscriptionRequestsTable;
  sync_records: SyncRecordsTable;
  sync_rosters: SyncRostersTable;
  syncs: SyncsTable;
  ticket_orders: TicketOrdersTable;
  ticket_prices: TicketPricesTable;
  ticket_replacements: TicketReplacementsTable;
  tickets: TicketsTable;
  webhook_attempts: WebhookAttemptsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_endpoints: WebhookEndpointsTable;
}
