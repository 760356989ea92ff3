import { sql } from 'kysely';
import type { InvoiceKind } from '../../domain/enums.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { insertAudit } from '../activity/record.ts';
import { appendEvents } from '../events/append.ts';
import { formatInvoiceNumber } from './rules/invoice.ts';

interface Draft {
  id: number;
  kind: InvoiceKind;
  period: string;
}

/** Takes the next numbers. The counter stays locked until the transaction ends, so that numbers have no gaps. */
async function takeNumbers(tx: Tx, count: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    update invoice_numbers set last_number = last_number + ${count} returning last_number as last`.execute(tx);
  const last = rows[0]?.last;
  if (last === undefined) throw new Error('The counter of invoice numbers has no row.');
  return last - count + 1;
}

/**
 * Numbers the drafts of a company. Locks the drafts first: a second transaction then finds none and takes no number.
 * Takes the numbers last, because all companies wait for that lock. On Citus, the counter and the invoices commit in two
 * phases (docs/decisions/0028-lost-nodes-and-two-phases.md). Returns how many were issued.
 */
export const issueInvoices = async (db: Db, clock: Clock, companyId: CompanyId): Promise<number> => {
  const { rows: waiting } = await sql`
    select from invoices i where ${ofCompany(companyId, 'i')} and i.number is null limit 1`.execute(db);
  if (waiting.length === 0) return 0;
  return writeCompany(db, companyId, async (tx) => {
    const { rows: drafts } = await sql<Draft>`
      select i.id, i.kind, i.period from invoices i where ${ofCompany(companyId, 'i')} and i.number is null
      order by i.id for update`.execute(tx);
    if (drafts.length === 0) return 0;
    const now = clock.now();
    const first = await takeNumbers(tx, drafts.length);
    for (const [index, { id, kind, period }] of drafts.entries()) {
      await sql`update invoices i set number = ${first + index}
        where ${ofCompany(companyId, 'i')} and i.id = ${id}`.execute(tx);
      await insertAudit(tx, companyId, {
        actor: { type: 'service', name: null },
        action: 'billing.issue-invoice',
        target: formatInvoiceNumber(first + index),
        detail: { kind, period },
        at: now,
      });
    }
    appendEvents(
      tx,
      companyId,
      drafts.map(({ id, period }) => ({
        type: 'invoice-issued',
        occurredAt: now,
        payload: { id, resource: 'invoice', period },
      })),
    );
    return drafts.length;
  });
};
