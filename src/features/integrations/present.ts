import type { Links } from '../../platform/http/links.ts';
import { presentOptionalTimestamp } from '../../platform/http/view.ts';
import type { HrIntegration } from './contract.ts';
import { canTriggerSync } from './rules/status.ts';
import type { HrIntegrationRow } from './store.ts';

export const presentHrIntegration = (row: HrIntegrationRow, links: Links): HrIntegration => ({
  id: row.id,
  name: row.name,
  type: row.type,
  status: row.status,
  initialConnectionStatus: row.initial_connection_status,
  lastSyncId: row.last_sync_id,
  lastSynced: presentOptionalTimestamp(row.last_synced_at),
  lastSyncStatus: row.last_sync_status,
  canTriggerSync: canTriggerSync({ status: row.status, onboarding: row.initial_connection_status }),
  resource: 'hr-integration',
  _links: { self: links.hrIntegration(row.id) },
});
