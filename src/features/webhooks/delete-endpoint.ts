import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { noEndpoint } from './store.ts';

export const deleteEndpoint = ({ companyId, by, write }: CompanyContext, { id }: { id: number }) =>
  write(async (tx) => {
    const { rows } = await sql`
      delete from webhook_endpoints w where ${ofCompany(companyId, 'w')} and w.id = ${id} returning w.id`.execute(tx);
    if (rows.length === 0) throw noEndpoint();
    await insertAudit(tx, companyId, { action: 'webhook.delete', target: String(id), ...by });
    return { id, deleted: true };
  });
