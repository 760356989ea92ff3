import { assertCompany, withEngine } from '../features/command-context.ts';
import type { CommandContext } from '../platform/cli/define.ts';
import { asCompanyId, type CompanyId } from '../platform/db/company-scope.ts';
import type { Db } from '../platform/db/database.ts';
import { writeCompany } from '../platform/db/write.ts';
import { findCountDifferences, repairCounts } from './stored-counts.ts';

async function listCompanies(db: Db): Promise<CompanyId[]> {
  const rows = await db.selectFrom('companies').select('id').orderBy('id').execute();
  return rows.map(({ id }) => asCompanyId(id));
}

interface VerifyOptions {
  company: CompanyId | undefined;
  repair: boolean;
}

/** Processes one company at a time, so that a repair blocks only the company it works on. */
export const verifyCounts = ({ company: only, repair: isRepair }: VerifyOptions, { config }: CommandContext) =>
  withEngine(config, async ({ db, clock }) => {
    if (only !== undefined) await assertCompany(db, only);
    const companies = only === undefined ? await listCompanies(db) : [only];
    const differences = [];
    for (const companyId of companies) {
      const found = isRepair
        ? await writeCompany(db, companyId, (tx) => repairCounts(tx, companyId, clock.now()))
        : await findCountDifferences(db, companyId);
      differences.push(...found.map((difference) => ({ companyId, ...difference })));
    }
    return { companies: companies.length, differences, repaired: isRepair && differences.length > 0 };
  });
