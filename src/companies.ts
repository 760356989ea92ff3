import { insertAudit } from './audit.ts';
import { asCompanyId, type CompanyId } from './db/company-scope.ts';
import type { Tx } from './db/database.ts';
import type { PlanType } from './domain/vocabulary.ts';

export interface CompanySettings {
  name: string;
  planType: PlanType;
  contributionCents: number;
}

export async function insertCompany(tx: Tx, settings: CompanySettings): Promise<CompanyId> {
  const { id } = await tx
    .insertInto('companies')
    .values({
      name: settings.name,
      plan_type: settings.planType,
      contribution_cents: settings.contributionCents,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const companyId = asCompanyId(id);
  await insertAudit(tx, companyId, { action: 'company.create', target: String(id), detail: { ...settings } });
  return companyId;
}
