import { createMessage } from '../../../domain/messages/message.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/errors.ts';
import type { Integration } from '../../companies/companies.ts';
import { getIntegration, type HrIntegrationRow } from '../../integrations/change-integration.ts';
import { type ConnectorRow, findConnectorRow } from './store.ts';

/** Returns the integration. Throws if rosters are pushed to it. */
export async function getPullingIntegration(db: Db | Tx, target: Integration): Promise<HrIntegrationRow> {
  const integration = await getIntegration(db, target.companyId, target.hrIntegrationId);
  if (integration.type === 'hr-integration') return integration;
  throw new ApiError('not-connectable', createMessage('connection-pushed'));
}

/** Returns how an integration pulls. Throws if it is not connected. `lock`: until the transaction ends. */
export async function getConnectorRow(db: Db | Tx, target: Integration, { lock = false } = {}): Promise<ConnectorRow> {
  await getPullingIntegration(db, target);
  const row = await findConnectorRow(db, target, { lock });
  if (row === undefined) throw new ApiError('not-connectable', createMessage('connection-without-credentials'));
  return row;
}
