import type { IntegrationStatus, IntegrationType, OnboardingStatus, SyncOutcome } from './enums.ts';

interface Connection {
  status: IntegrationStatus;
  onboarding: OnboardingStatus;
}

/** A company's own push is ready at once; a third-party system still has to be connected. */
export const newConnection = (type: IntegrationType): Connection => ({
  status: 'active',
  onboarding: type === 'api-integration' ? 'final-sync-pending' : 'incomplete',
});

export const canTriggerSync = ({ status, onboarding }: Connection): boolean =>
  status === 'active' && onboarding !== 'incomplete';

const failures = ['failed', 'authentication-failed'] as const;
type Ailment = 'invalid' | (typeof failures)[number];

/** What a person has to look after; null: nothing. Of one that is disabled nobody expects anything. */
export function healthIssue(status: IntegrationStatus, lastOutcome: SyncOutcome | null): Ailment | null {
  if (status === 'inactive') return null;
  if (status === 'invalid') return status;
  return failures.find((failure) => failure === lastOutcome) ?? null;
}
