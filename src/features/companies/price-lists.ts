import { sql } from 'kysely';
import { type Day, firstOfMonth, isBefore } from '../../domain/calendar.ts';
import type { FeeType } from '../../domain/enums.ts';
import { findTextProblem } from '../../domain/single-line-text.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { getCompany, lockCompany } from './companies.ts';

/** A fee of a price list, net, per unit charged. Taxed like the standard one. */
export interface ListFee {
  priceList: string;
  chargeType: FeeType;
  validFrom: Day;
  netCents: number;
}

/** The price list of a company from a month on. Null: the standard fees. */
export interface Assignment {
  validFrom: Day;
  priceList: string | null;
}

/** The name of the fees of a company without a price list. */
export const standardList = 'standard';

export async function loadAssignments(db: Db, companyId: CompanyId): Promise<Assignment[]> {
  const { rows } = await sql<{ from: string; priceList: string | null }>`
    select l.from_on as from, l.price_list as "priceList" from company_price_lists l
    where ${ofCompany(companyId, 'l')} order by l.from_on`.execute(db);
  return rows.map(({ from, priceList }) => ({ validFrom: Temporal.PlainDate.from(from), priceList }));
}

/** Returns the fees of these lists, or of all. */
export async function loadListFees(db: Db, lists?: readonly string[]): Promise<ListFee[]> {
  const some = lists === undefined ? sql`` : sql`where f.price_list = any(${lists}::text[])`;
  const { rows } = await sql<Omit<ListFee, 'validFrom'> & { from: string }>`
    select f.price_list as "priceList", f.charge_type as "chargeType", f.valid_from as from, f.net_cents as "netCents"
    from price_list_fees f ${some} order by f.price_list, f.charge_type, f.valid_from`.execute(db);
  return rows.map(({ from, ...fee }) => ({ ...fee, validFrom: Temporal.PlainDate.from(from) }));
}

const listNames = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select l.name from price_lists l order by l.name`.execute(db);
  return rows.map(({ name }) => name);
};

/** Returns the lists with their fees, which differ from the standard ones. */
export async function describeLists(db: Db) {
  const fees = await loadListFees(db);
  return (await listNames(db)).map((name) => ({
    name,
    fees: fees.flatMap(({ priceList, ...fee }) => (priceList === name ? fee : [])),
  }));
}

/** Returns the name as the list was created. Null: the standard fees. Throws if there is no such list. */
export async function findList(db: Db, given: string): Promise<string | null> {
  const same = (name: string) => name.toLowerCase() === given.trim().toLowerCase();
  if (same(standardList)) return null;
  const names = await listNames(db);
  const name = names.find(same);
  if (name !== undefined) return name;
  throw new OperatorError(
    `There is no price list "${given}". Create it with "price create-list", or choose one of ${[standardList, ...names].join(', ')}.`,
  );
}

/** Creates a price list without fees: each is the standard one until "price set --list" sets it. */
export async function createList({ tx, now }: { tx: Tx; now: Temporal.Instant }, { name: given }: { name: string }) {
  const name = given.trim();
  if (name === '' || name.length > 100 || findTextProblem(name) !== undefined) {
    throw new OperatorError('--name must be a single line of 1 to 100 characters.');
  }
  const taken = [standardList, ...(await listNames(tx))].find((one) => one.toLowerCase() === name.toLowerCase());
  if (taken !== undefined) throw new OperatorError(`There is a price list "${taken}" already. Choose another name.`);
  await sql`insert into price_lists (name, created_at) values (${name}, ${now.toString()}::timestamptz)`.execute(tx);
  return { name };
}

/** Sets a fee of a list from a month on. */
export async function setListFee(
  tx: Tx,
  {
    priceList,
    chargeType,
    validFrom,
    netCents,
  }: { priceList: string; chargeType: FeeType; validFrom: Day; netCents: number },
): Promise<void> {
  await sql`
    insert into price_list_fees (price_list, charge_type, valid_from, net_cents)
    values (${priceList}, ${chargeType}, ${validFrom.toString()}::date, ${netCents})
    on conflict (price_list, charge_type, valid_from) do update set net_cents = excluded.net_cents`.execute(tx);
}

/** Returns the first month of a company that is not billed yet. */
async function firstUnbilled(tx: Tx, companyId: CompanyId, today: Day): Promise<Day> {
  const { rows } = await sql<{ period: string | null }>`
    select max(q.period) as period from billing_quantities q where ${ofCompany(companyId, 'q')}`.execute(tx);
  const billed = rows[0]?.period;
  return billed ? Temporal.PlainDate.from(billed).add({ months: 1 }) : firstOfMonth(today);
}

const presentAssignment = ({ validFrom, priceList }: Assignment) => ({
  from: validFrom.toString(),
  priceList: priceList ?? standardList,
});

/** Returns the price lists of a company by month. Absent: it never had one. */
export async function showAssignments({ db, companyId }: Pick<CompanyContext, 'db' | 'companyId'>) {
  const assignments = await loadAssignments(db, companyId);
  return assignments.length === 0 ? {} : { priceLists: assignments.map(presentAssignment) };
}

interface AssignInput {
  list: string;
  from: Day | undefined;
}

/** Gives a company a price list from a month on that is not billed yet, by default the first one. */
export const assignList = ({ companyId, by, write }: CompanyContext, { list, from }: AssignInput) =>
  write(async (tx) => {
    await lockCompany(tx, companyId);
    const priceList = await findList(tx, list);
    const { timeZone } = await getCompany(tx, companyId);
    const first = await firstUnbilled(tx, companyId, by.at.toZonedDateTimeISO(timeZone).toPlainDate());
    if (from !== undefined && isBefore(from, first)) {
      throw new OperatorError(
        `The company is billed up to ${first.subtract({ months: 1 })}: choose ${first} or later.`,
      );
    }
    const fromOn = (from ?? first).toString();
    await sql`insert into company_price_lists (company_id, from_on, price_list) values (${companyId}, ${fromOn}::date, ${priceList})
      on conflict (company_id, from_on) do update set price_list = excluded.price_list`.execute(tx);
    const detail = { priceList: priceList ?? standardList, from: fromOn };
    const { actor, at } = by;
    await insertAudit(tx, companyId, {
      action: 'company.set-price-list',
      target: String(companyId),
      detail,
      actor,
      at,
    });
    return { id: companyId, priceLists: (await loadAssignments(tx, companyId)).map(presentAssignment) };
  });
