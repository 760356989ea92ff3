import type { IntegrationStatus, IntegrationType, OnboardingStatus } from './vocabulary.ts';

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
