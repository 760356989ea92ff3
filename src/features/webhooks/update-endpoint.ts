import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import type { EndpointSettings } from './contract.ts';
import { assertUrl, describeSettings } from './create-endpoint.ts';
import { presentEndpoint } from './present.ts';
import { getEndpointRow } from './store.ts';

/** Changes an endpoint. Deliveries that wait go to the new URL. */
export async function updateEndpoint(context: CompanyContext, { id, ...input }: EndpointSettings & { id: number }) {
  const { companyId, by } = context;
  const key = { companyId, endpointId: id };
  await getEndpointRow(context.db, key);
  const settings = { ...input, url: input.url.trim(), description: input.description.trim() };
  await assertUrl(settings.url, context.config);
  return context.write(async (tx) => {
    await sql`
      update webhook_endpoints w set url = ${settings.url}, event_types = ${settings.eventTypes}::text[],
        description = ${settings.description}, updated_at = now()
      where ${ofCompany(companyId, 'w')} and w.id = ${id}`.execute(tx);
    const row = await getEndpointRow(tx, key);
    const detail = describeSettings(settings);
    await insertAudit(tx, companyId, { action: 'webhook.update', target: String(id), detail, ...by });
    return presentEndpoint(row);
  });
}
