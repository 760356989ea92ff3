import type {
  IntegrationStatus,
  IntegrationType,
  OnboardingStatus,
  Permission,
  SyncOutcome,
} from '../../../domain/enums.ts';

interface Connection {
  status: IntegrationStatus;
  onboarding: OnboardingStatus;
}

/** An API push is ready at once. A third-party system still has to be connected. */
export const newConnection = (type: IntegrationType): Connection => ({
  status: 'active',
  onboarding: type === 'api-integration' ? 'final-sync-pending' : 'incomplete',
});

export const canTriggerSync = ({ status, onboarding }: Connection): boolean =>
  status === 'active' && onboarding !== 'incomplete';

/** What a key needs to push a roster. */
export const pushPermissions = [
  'view-employees',
  'add-employees',
  'update-employees',
  'remove-employees',
] as const satisfies Permission[];

/** Returns whether users can upload a roster: also where no key may push one any more. */
export const acceptsUpload = ({ status, onboarding, type }: Connection & { type: IntegrationType }): boolean =>
  canTriggerSync({ status, onboarding }) || (type === 'api-integration' && status === 'invalid');

export interface PushKeys {
  /** The last roster was pushed by a key, not uploaded. */
  isPushedByKey: boolean;
  /** Until when a key may push. Null: without an end. */
  endsAt: Temporal.Instant | null;
}

/** Returns the status of an API integration: `invalid` if a key has pushed its rosters, and no key may any more. */
export function statusByKeys(status: IntegrationStatus, keys: PushKeys, now: Temporal.Instant): IntegrationStatus {
  if (status === 'inactive') return status;
  const hasEnded = keys.endsAt !== null && Temporal.Instant.compare(keys.endsAt, now) <= 0;
  return keys.isPushedByKey && hasEnded ? 'invalid' : 'active';
}

export const healthIssues = ['invalid', 'failed', 'authentication-failed'] as const;
type HealthIssue = (typeof healthIssues)[number];

/** Returns the issue that a user has to resolve, or null. A disabled integration has no issues. */
export function healthIssue(status: IntegrationStatus, lastOutcome: SyncOutcome | null): HealthIssue | null {
  if (status === 'inactive') return null;
  return healthIssues.find((issue) => issue === status || issue === lastOutcome) ?? null;
}
