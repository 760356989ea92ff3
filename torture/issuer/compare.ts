import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { info, type Metric, none, noneOf } from '../../harness/metrics.ts';
import type { Context } from '../../harness/scenario.ts';
import type { Db } from '../../src/platform/db/database.ts';
import type { Commands } from '../../test/support/commands.ts';
import { type FakeIssuer, type Months, monthCount } from './months.ts';

type Listed = ReturnType<FakeIssuer['list']>[number];

const isLive = ({ status }: Listed) => status === 'issued' || status === 'ordered';
const isLiveIn = (month: string) => (order: Listed) => order.month === month && isLive(order);

/** Returns what is more than once in a list. */
const findRepeated = (list: string[]) =>
  [...Map.groupBy(list, (one) => one)].flatMap(([one, all]) => (all.length > 1 ? one : []));

const differ = (found: string[], expected: string[]) => [...new Set(found).difference(new Set(expected))];

/** Compares one month of all companies: what the issuer has, tickets, charges, and who must have one. */
async function compareMonth(db: Db, issuer: FakeIssuer, months: Months, number: number) {
  const month = months.monthAt(number).toString();
  const expected = months.expectedIn(number);
  const live = issuer.list().filter(isLiveIn(month.slice(0, 7)));
  const ordered = live.map(({ person }) => person.reference.replace('-', ' '));
  const { rows: tickets } = await sql<{ owner: string; number: string | null }>`
    select concat_ws(' ', t.company_id, t.employee_id) as owner, t.issuer_number as number
    from tickets t where t.month = ${month}::date and t.blocked_at is null`.execute(db);
  const { rows: charges } = await sql<{ owner: string }>`
    select concat_ws(' ', b.company_id, b.employee_id) as owner from billing_items b
    where b.charge_type = 'ticket-charge' and coalesce(b.ticket_month, b.period) = ${month}::date`.execute(db);
  const owners = tickets.map(({ owner }) => owner);
  const charged = charges.map(({ owner }) => owner);
  const numbers = new Set(live.flatMap(({ ticket }) => ticket?.number ?? []));
  const inMonth = (found: string[]) => found.map((one) => `${month}: ${one}`);
  return {
    twice: inMonth(findRepeated(ordered)),
    lost: inMonth(differ(expected, owners)),
    surplus: inMonth([...differ(owners, expected), ...differ(ordered, expected)]),
    unknown: inMonth(tickets.flatMap(({ owner, number }) => (number !== null && numbers.has(number) ? [] : owner))),
    uncharged: inMonth(differ(owners, charged)),
    unfounded: inMonth([...differ(charged, owners), ...findRepeated(charged)]),
  };
}

/** Returns what the reconciliation of each company still finds. */
async function reconcileAll(commands: Commands, { members, monthAt }: Months) {
  const found: string[] = [];
  for (const { companyId } of members) {
    for (let number = 0; number < monthCount; number++) {
      const month = monthAt(number).toString().slice(0, 7);
      const words = ['issuer', 'reconcile', '--company', String(companyId), '--month', month];
      const { required, issued, missing, double, unexpected, mismatched } = await commands.succeed(...words);
      const all = [...missing, ...double, ...unexpected, ...mismatched];
      if (required !== issued) all.push({ required, issued });
      found.push(...all.map((one) => `company ${companyId}, ${month}: ${JSON.stringify(one)}`));
    }
  }
  return found;
}

/** Returns how the issuer's invoices differ from the tickets. */
async function compareInvoices(commands: Commands, issuer: FakeIssuer, { members, monthAt }: Months, folder: string) {
  const found: string[] = [];
  const file = join(folder, 'invoice.csv');
  for (const { companyId, token } of members) {
    for (let number = 0; number < monthCount; number++) {
      const month = monthAt(number).toString().slice(0, 7);
      await writeFile(file, issuer.writeInvoice(month, token));
      const words = ['issuer', 'compare-invoice', '--company', String(companyId), '--month', month, '--file', file];
      const { billedCents, expectedCents, differences } = await commands.succeed(...words);
      if (billedCents === expectedCents && differences.length === 0) continue;
      found.push(
        `company ${companyId}, ${month}: ${billedCents} of ${expectedCents}, ${JSON.stringify(differences[0])}`,
      );
    }
  }
  return found;
}

export async function compare(
  db: Db,
  { issuer, months, commands, folder }: { issuer: FakeIssuer; months: Months; commands: Commands; folder: string },
  { log }: Context,
): Promise<Metric[]> {
  const compared: Awaited<ReturnType<typeof compareMonth>>[] = [];
  for (let number = 0; number < monthCount; number++) compared.push(await compareMonth(db, issuer, months, number));
  const all = (name: keyof (typeof compared)[number]) => compared.flatMap((month) => month[name]);
  const { rows: known } = await sql<{ id: string }>`select order_id as id from ticket_orders`.execute(db);
  const ids = new Set(known.map(({ id }) => id));
  const strays = issuer.list().flatMap(({ orderId }) => (ids.has(orderId) ? [] : orderId));
  const { rows: late } = await sql<{ items: number }>`
    select count(*) as items from billing_items where ticket_month is not null`.execute(db);
  const { rows: failed } = await sql<{ job: string }>`
    select concat_ws(' ', name, id) as job from queue.job where state = 'failed'`.execute(db);
  return [
    info('orders that the issuer received', issuer.seen.orders),
    info('tickets charged because they came late', late[0]?.items ?? 0),
    noneOf('tickets that the issuer has twice', all('twice'), log),
    noneOf('orders at the issuer that the service does not know', strays, log),
    none('orders repeated with other content', issuer.seen.conflicts),
    noneOf('tickets lost', all('lost'), log),
    noneOf('tickets of employees who need none', all('surplus'), log),
    noneOf('tickets that the issuer does not have', all('unknown'), log),
    noneOf('tickets without a charge', all('uncharged'), log),
    noneOf('charges without a ticket, or twice', all('unfounded'), log),
    noneOf('differences that the reconciliation finds', await reconcileAll(commands, months), log),
    noneOf('invoices that differ from the tickets', await compareInvoices(commands, issuer, months, folder), log),
    noneOf(
      'jobs failed for good',
      failed.map(({ job }) => job),
      log,
    ),
  ];
}
