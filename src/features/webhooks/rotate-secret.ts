import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { createWebhookSecret } from './sign.ts';
import { noEndpoint, secretNameOf } from './store.ts';

/** How long the previous secret still signs after a rotation. */
const rotationHours = 24;

export async function rotateSecret(context: CompanyContext, { id }: { id: number }) {
  const { companyId, by } = context;
  const encryption = await context.openEncryption();
  const secret = createWebhookSecret();
  const encrypted = encryption.encrypt(secret, secretNameOf({ companyId, endpointId: id }));
  return context.write(async (tx) => {
    const { rows } = await sql<{ until: string }>`
      update webhook_endpoints w set encrypted_previous_secret = w.encrypted_secret, encrypted_secret = ${encrypted},
        previous_secret_until = now() + make_interval(hours => ${rotationHours}), updated_at = now()
      where ${ofCompany(companyId, 'w')} and w.id = ${id}
      returning w.previous_secret_until as until`.execute(tx);
    const [row] = rows;
    if (row === undefined) throw noEndpoint();
    await insertAudit(tx, companyId, { action: 'webhook.rotate', target: String(id), ...by });
    return { id, secret, previousUntil: presentTimestamp(row.until) };
  });
}
