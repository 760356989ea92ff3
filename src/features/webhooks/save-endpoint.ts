import { sql } from 'kysely';
import type { Config } from '../../platform/config/config.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { ApiError, invalidValue } from '../../platform/http/errors.ts';
import { findWrongUrl } from '../../platform/outgoing/urls.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import type { EndpointSettings, NewEndpointSecret } from './contract.ts';
import { presentEndpoint } from './present.ts';
import { createWebhookSecret } from './sign.ts';
import { columnsOf, getEndpointRow, listEndpointRows, secretNameOf } from './store.ts';

/** How many endpoints a company may have. */
export const maxEndpoints = 20;

/** Throws if the service would never call the URL. Resolves its host, which is why no transaction must be open. */
async function checkSettings(input: EndpointSettings, { environment, webhookAllowPrivate: allowPrivate }: Config) {
  const settings = { ...input, url: input.url.trim(), description: input.description.trim() };
  const problem = await findWrongUrl(settings.url, { environment, allowPrivate });
  if (problem !== undefined) throw invalidValue('/url', 'url', problem);
  return settings;
}

/** What the audit log says about the settings. The path and the query of a URL may contain a token of the receiver. */
const describeSettings = ({ url, ...settings }: EndpointSettings) => ({ host: new URL(url).host, ...settings });

/** Creates an endpoint, which receives the events from now on. Besides a rotation, only this shows the secret. */
export async function createEndpoint(context: CompanyContext, input: EndpointSettings): Promise<NewEndpointSecret> {
  const { companyId, by } = context;
  const settings = await checkSettings(input, context.config);
  const encryption = await context.openEncryption();
  return context.write(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks of company ${companyId}`}, 0))`.execute(tx);
    if ((await listEndpointRows(tx, companyId)).length >= maxEndpoints) {
      const detail = `A company can have ${maxEndpoints} webhook endpoints. Delete one that you do not need any more.`;
      throw new ApiError('too-many-webhooks', detail);
    }
    const { rows: ids } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('webhook_endpoints', 'id')) as id`.execute(tx);
    const id = ids[0]?.id ?? 0;
    const { rows: versions } = await sql<{ last: number }>`
      select v.event_sequence as last from company_versions v where ${ofCompany(companyId, 'v')}`.execute(tx);
    const secret = createWebhookSecret();
    const encrypted = encryption.encrypt(secret, secretNameOf({ companyId, endpointId: id }));
    const columns = columnsOf(settings);
    await sql`
      insert into webhook_endpoints (company_id, id, encrypted_secret, cursor_sequence, ${sql.join(Object.keys(columns).map(sql.ref))})
      overriding system value
      values (${companyId}, ${id}, ${encrypted}, ${versions[0]?.last ?? 0}, ${sql.join(Object.values(columns))})`.execute(
      tx,
    );
    const detail = describeSettings(settings);
    await insertAudit(tx, companyId, { action: 'webhook.create', target: String(id), detail, ...by });
    return { id, secret };
  });
}

/** Changes an endpoint. Deliveries that wait go to the new URL. */
export async function updateEndpoint(context: CompanyContext, { id, ...input }: EndpointSettings & { id: number }) {
  const { companyId, by } = context;
  const key = { companyId, endpointId: id };
  await getEndpointRow(context.db, key);
  const settings = await checkSettings(input, context.config);
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
