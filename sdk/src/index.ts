export { TransitBenefits } from './client.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  EventsExpiredError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  type ProblemCode,
  type ProblemEntry,
  RateLimitError,
  SyncFailedError,
  TransitBenefitsError,
  UnavailableError,
  WebhookVerificationError,
} from './errors.ts';
export type { EventPage, FollowOptions } from './events.ts';
export type { RosterEntry, RosterInput, SyncOptions, SyncProgress } from './hr-integrations.ts';
export type { RequestOptions } from './http.ts';
export type { CallOptions, List, Page } from './list.ts';
export type { ClientOptions, RetryOptions } from './options.ts';
export type { ChangeOptions, ChargeType, EmployeeFilter } from './resources.ts';
export type {
  BillingCorrections,
  BillingItem,
  Employee,
  EmployeeDocument,
  Event,
  Forecast,
  HrIntegration,
  Invoice,
  Me,
  Money,
  NewBillingCorrections,
  NewForecast,
  NewSubscriptionRequest,
  PayrollExport,
  Problem,
  Roster,
  SubscriptionHistoryEntry,
  SubscriptionRequest,
  SubscriptionRequestResult,
  Sync,
  SyncPreview,
  SyncRecord,
  SyncWarning,
} from './types.gen.ts';
export {
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookRequest,
} from './webhooks.ts';
