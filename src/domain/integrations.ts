import type { IntegrationStatus, IntegrationType, OnboardingStatus, SyncOutcome } from './enums.ts';

interface Connection {
  status: IntegrationStatus;
  onboarding: OnboardingStatus;
}

/**
 * Returns the initial state of an integration. An API push is ready at once. A third-party system still has to be
 * connected.
 */
export const newConnection = (type: IntegrationType): Connection => ({
  status: 'active',
  onboarding: type === 'api-integration' ? 'final-sync-pending' : 'incomplete',
});

export const canTriggerSync = ({ status, onboarding }: Connection): boolean =>
  status === 'active' && onboarding !== 'incomplete';

const failures = ['failed', 'authentication-failed'] as const;
type HealthIssue = 'invalid' | (typeof failures)[number];

/** Returns the issue that a user has to resolve, or null. A disabled integration has no issues. */
export function healthIssue(status: IntegrationStatus, lastOutcome: SyncOutcome | null): HealthIssue | null {
  if (status === 'inactive') return null;
  if (status === 'invalid') return status;
  return failures.find((failure) => failure === lastOutcome) ?? null;
}
