import type { HrIntegration } from '../../../src/features/connectors/contract.ts';
import { StatusBadge } from './StatusBadge.tsx';

type State = Pick<HrIntegration, 'status' | 'initialConnectionStatus'>;

/** Renders the status of an integration. One that is not set up yet, or has never synced, is not called active. */
export function IntegrationBadge({ integration: { status, initialConnectionStatus } }: { integration: State }) {
  if (status === 'active' && initialConnectionStatus !== 'completed') {
    return <StatusBadge of="onboarding" word={initialConnectionStatus} />;
  }
  return <StatusBadge of="integrationStatus" word={status} />;
}
