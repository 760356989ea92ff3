import { operator } from '../../domain/actor.ts';
import type { BlockReason, ReplacementReason } from '../../domain/enums.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { By } from '../activity/record.ts';
import { getCompany } from '../companies/companies.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import { replaceTicket } from '../tickets/replace.ts';
import { replaceIssuedTicket, type TicketChange } from './block-ticket.ts';

const ownReasons: readonly string[] = ['unreadable', 'new-phone'];
const ownReasonOf = (reason: BlockReason) => (ownReasons.includes(reason) ? reason : 'other') as ReplacementReason;

/** Replaces a ticket, whoever has issued it: at once if the service has, else as soon as the issuer answers. */
export async function replaceAnyTicket(
  tx: Tx,
  deps: { employeeMails: EmployeeMails },
  companyId: CompanyId,
  { actor = operator, at, ...change }: TicketChange & By & { at: Temporal.Instant },
) {
  const { issuer } = await getCompany(tx, companyId);
  if (issuer !== 'built-in') return replaceIssuedTicket(tx, companyId, change, { actor, at });
  const { employeeId, month } = change;
  const reason = ownReasonOf(change.reason);
  await replaceTicket(tx, deps, companyId, { employeeId, month, reason, actor, at });
  return { employeeId, month: month.toString().slice(0, 7), state: 'replaced' as const };
}
