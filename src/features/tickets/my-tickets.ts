import { sql } from 'kysely';
import { type Day, firstOfMonth, firstOfNextMonth, isBefore } from '../../domain/calendar.ts';
import type { EmployeeState } from '../../domain/employee.ts';
import { isRunning } from '../../domain/subscription/subscription.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import type { Links } from '../../platform/http/links.ts';
import type { Company } from '../companies/companies.ts';
import { drawAztec } from '../wallet/aztec.ts';
import { codeOf, product } from '../wallet/present.ts';
import type { TicketSigner } from '../wallet/ticket-code.ts';
import type { Wallets } from '../wallet/wallets.ts';
import type { MyTicket } from './my-contract.ts';
import { ticketNumber } from './numbers.ts';
import { findCertainMonth } from './rules/next-ticket.ts';

/** What is needed to show a ticket to its holder. */
export interface TicketView {
  signer: Pick<TicketSigner, 'sign'>;
  isTest: boolean;
  wallets: Wallets;
  links: Pick<Links, 'walletPass'>;
}

interface IssuedTicket {
  id: string;
  /** The first day of the month. */
  month: string;
  validFrom: string;
  validUntil: string;
  walletToken: string | null;
  issuerNumber: string | null;
  chipCardNumber: string | null;
  activationCode: string | null;
  barcode: string | null;
}

interface OfMonth {
  companyId: CompanyId;
  employeeId: number;
  /** The first day of the month. */
  month: string;
}

const selectTicket = preparedStatement(
  (_shape: object, { companyId, employeeId, month }: OfMonth) => sql<IssuedTicket>`
    select t.ticket_id as id, t.month, t.valid_from as "validFrom", t.valid_until as "validUntil",
      t.wallet_token as "walletToken", t.issuer_number as "issuerNumber",
      t.chip_card_number as "chipCardNumber", t.activation_code as "activationCode", t.barcode
    from tickets t where ${ofCompany(companyId, 't')} and t.employee_id = ${employeeId}
      and t.month = ${month}::date and t.blocked_at is null`,
);

/** Returns the ticket of an employee and month, unless it is blocked. */
async function findTicketOf(
  db: Db,
  companyId: CompanyId,
  { employeeId, month }: { employeeId: number; month: Day },
): Promise<IssuedTicket | undefined> {
  const [row] = await selectTicket(db, {}, { companyId, employeeId, month: month.toString() });
  return row;
}

/** Tickets that an issuer has issued for coming months, by their first days. */
export type OrderedTickets = ReadonlyMap<
  string,
  { number: string; validFrom: string | null } & Pick<IssuedTicket, 'chipCardNumber' | 'activationCode' | 'barcode'>
>;

/**
 * Returns the ticket that the daily run will issue, with the number that it will have. It has no pass yet. Nobody knows the
 * ticket of an issuer that has not issued it.
 */
function expectTicket(employeeId: number, month: Day, ordered: OrderedTickets | undefined): IssuedTicket | undefined {
  const first = month.toString();
  const order = ordered?.get(first);
  if (ordered !== undefined && order === undefined) return undefined;
  return {
    id: ticketNumber(month, employeeId),
    month: first,
    validFrom: order?.validFrom != null && order.validFrom > first ? order.validFrom : first,
    validUntil: firstOfNextMonth(month).subtract({ days: 1 }).toString(),
    walletToken: null,
    issuerNumber: order?.number ?? null,
    chipCardNumber: order?.chipCardNumber ?? null,
    activationCode: order?.activationCode ?? null,
    barcode: order?.barcode ?? null,
  };
}

export interface Holder {
  company: Company;
  employeeId: number;
  /** As of today. */
  employee: EmployeeState;
}

async function presentTicket(
  { id, month, validFrom, validUntil, walletToken, issuerNumber, barcode, ...numbers }: IssuedTicket,
  { company, employee: { profile } }: Pick<Holder, 'company'> & { employee: Pick<EmployeeState, 'profile'> },
  { signer, isTest, wallets, links }: TicketView,
): Promise<MyTicket> {
  const { code, format } = codeOf({ issuer_number: issuerNumber, barcode }, () =>
    signer.sign({ companyId: company.id, ticketId: id }),
  );
  const rows = format === 'aztec' ? await drawAztec(code) : [];
  const pass = (kind: 'apple' | 'google') =>
    walletToken !== null && wallets[kind] !== undefined ? links.walletPass(kind, company.id, walletToken) : null;
  return {
    ...{
      id: issuerNumber ?? id,
      product,
      month: month.slice(0, 7),
      firstName: profile.firstName,
      lastName: profile.lastName,
    },
    ...(numbers.chipCardNumber === null ? {} : { chipCardNumber: numbers.chipCardNumber }),
    ...(numbers.activationCode === null ? {} : { activationCode: numbers.activationCode }),
    ...{ validFrom, validUntil, format, isTest },
    code: format === 'aztec' ? rows.map((row) => row.map(Number).join('')).join('\n') : code,
    wallet: { apple: pass('apple'), google: pass('google') },
  };
}

/**
 * Returns the tickets that an employee's page shows: the one of today, and the next one as soon as it is certain and issued. Until
 * the daily run has processed the first of a month, its ticket is the one that it will issue: nothing is known earlier.
 */
export async function loadTickets(
  db: Db,
  holder: Holder,
  { today, view, ordered }: { today: Day; view: TicketView; ordered: OrderedTickets | undefined },
): Promise<{ ticket: MyTicket | null; nextTicket: MyTicket | null }> {
  const { company, employeeId, employee } = holder;
  const month = firstOfMonth(today);
  const isAwaited = isBefore(company.processedThrough, month) && isRunning(employee.subscription.status);
  const found =
    (await findTicketOf(db, company.id, { employeeId, month })) ??
    (isAwaited ? expectTicket(employeeId, month, ordered) : undefined);
  // One that came late or replaces another may be valid from a later day.
  const isValid = found !== undefined && found.validFrom <= today.toString();
  const certain = findCertainMonth(employee, today, company.cutOffDay);
  const next = certain === null ? undefined : expectTicket(employeeId, certain, ordered);
  const present = async (ticket: IssuedTicket | undefined) =>
    ticket === undefined ? null : presentTicket(ticket, holder, view);
  return {
    ticket: await present(isValid ? found : undefined),
    nextTicket: await present(isValid ? next : (found ?? next)),
  };
}
