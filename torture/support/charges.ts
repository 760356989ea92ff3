import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import { anEmployee, aTicketCharge, makeBillingItems, makeEmployees } from '../../test/support/factories.ts';

/** As many rows as fit into the parameters of one statement. */
const atOnce = 2_000;

/** Adds this many employees to the company, each charged a ticket for November 2026. */
export async function makeChargedEmployees(db: Db, companyId: CompanyId, count: number): Promise<void> {
  for (let made = 0; made < count; made += atOnce) {
    const people = Array.from({ length: Math.min(atOnce, count - made) }, () => anEmployee());
    const ids = await makeEmployees(db, companyId, people);
    await makeBillingItems(
      db,
      companyId,
      ids.map((id) => aTicketCharge(id)),
    );
  }
}
