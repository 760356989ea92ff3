import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import type { EndpointSettings } from './contract.ts';
import { assertUrl, describeSettings } from './create-endpoint.ts';
import { presentEndpoint } from './present.ts';
import { columnsOf, getEndpointRow } from './store.ts';

/** Changes an endpoint. Deliveries that wait go to the new URL. */
export async function updateEndpoint(context: CompanyContext, { id, ...input }: EndpointSettings & { id: number }) {
  const { companyId, by } = context;
  const key = { companyId, endpointId: id };
  await getEndpointRow(context.db, key);
  const settings = { ...input, url: input.url.trim(), description: input.description.trim() };
  await assertUrl(settings.url, context.config);
  return context.write(async (tx) => {
    await tx
      .updateTable('webhook_endpoints as w')
      .set({ ...columnsOf(settings), updated_at: sql`now()` })
      .where(ofCompany(companyId, 'w'))
      .where('w.id', '=', id)
      .execute();
    const row = await getEndpointRow(tx, key);
    const detail = describeSettings(settings);
    await insertAudit(tx, companyId, { action: 'webhook.update', target: String(id), detail, ...by });
    return presentEndpoint(row);
  });
}
