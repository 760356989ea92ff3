import { type RawBuilder, sql } from 'kysely';
import { isBefore } from '../../domain/calendar.ts';
import { type InvitationState, invitationStates } from '../../domain/enums.ts';
import { searchWords } from '../../domain/search.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { matchesWords, offsetOf, type PageRow, pageOf, toPage, wordForms } from '../../platform/db/page.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { presentOptionalTimestamp, presentTimestamp, type View } from '../../platform/http/view.ts';
import type { Company } from '../companies/companies.ts';
import { listIdsByCode } from '../employees/find-employee.ts';
import type { Campaign, Invitation, InvitationsPage, InvitationsQuery } from './contract.ts';
import { loadOffers } from './invite.ts';
import { lastDayOf } from './rules/invitation.ts';
import { conditionsOf, countNew, joinedAt } from './store.ts';

const and = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);
const or = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` or `);

/** Selects invitation `i` and its employee `e`. */
const source = (companyId: CompanyId) => sql`joining_invitations i
  join employees e on ${ofCompany(companyId, 'e')} and e.id = i.employee_id and e.removed_at is null`;

const stateOf = (companyId: CompanyId) => {
  const states = Object.entries(conditionsOf(companyId)).map(([name, holds]) => sql`when ${holds} then ${name}`);
  return sql`case ${sql.join(states, sql` `)} end`;
};

interface Filter {
  search?: string | undefined;
  states?: readonly InvitationState[] | undefined;
}

async function matching(db: Db | Tx, companyId: CompanyId, { search = '', states = [] }: Filter) {
  const words = matchesWords('e', wordForms(searchWords(search)));
  const foundIds = await listIdsByCode(db as Db, companyId, search);
  const isFound = foundIds ? [sql`e.id = any(${foundIds})`] : [];
  const conditions = conditionsOf(companyId);
  const isAll = states.length === 0 || states.length === invitationStates.length;
  return and([
    ofCompany(companyId, 'i'),
    ...(words.length > 0 ? [sql`(${or([sql`(${and(words)})`, ...isFound])})`] : []),
    ...(isAll ? [] : [sql`(${or(states.map((state) => conditions[state]))})`]),
  ]);
}

/** Returns the employees whose invitations match, in the order of their ids. */
export async function selectInvitedIds(db: Db | Tx, companyId: CompanyId, filter: Filter): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from ${source(companyId)} where ${await matching(db, companyId, filter)} order by e.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The orders of the list. */
const sortExpressions = {
  name: sql`((e.last_name || ', ' || e.first_name) collate "und-x-icu")`,
  invitedAt: sql.ref('i.invited_at'),
} as const;

interface InvitationRow extends PageRow, Omit<Invitation, 'employeeId' | 'validUntil' | 'isExpired'> {
  invitedOn: string;
}

/** Lists invitations with their state. */
export async function listInvitations(
  tx: Tx,
  { id: companyId }: Pick<Company, 'id'>,
  query: InvitationsQuery,
  today: Temporal.PlainDate,
): Promise<InvitationsPage> {
  const rows = sql`select e.id, ${sortExpressions[query.sortField]} as sorted from ${source(companyId)}
    where ${await matching(tx, companyId, query)}`;
  const page = pageOf({ rows, storedTotal: undefined }, query, offsetOf(query));
  const { rows: found } = await sql<InvitationRow>`
    ${page.found} select n.total, e.id, e.first_name as "firstName", e.last_name as "lastName", e.email,
      ${stateOf(companyId)} as state, i.invited_at as "invitedAt", i.invited_on as "invitedOn",
      i.opened_at as "openedAt", ${joinedAt(companyId)} as "joinedAt", i.declined_at as "declinedAt",
      i.lettered_at as "letteredAt", i.reminded_on as "remindedOn"
    from ${page.source}
    left join joining_invitations i on ${ofCompany(companyId, 'i')} and i.employee_id = p.id
    left join employees e on ${ofCompany(companyId, 'e')} and e.id = p.id
    ${page.order}`.execute(tx);
  return presentPage(toPage(found), query, (row): Invitation => {
    const { id: employeeId, firstName, lastName, email, state, invitedOn, remindedOn } = row;
    const lastDay = lastDayOf(Temporal.PlainDate.from(invitedOn));
    return {
      ...{ employeeId, firstName, lastName, email, state, remindedOn },
      invitedAt: presentTimestamp(row.invitedAt),
      openedAt: presentOptionalTimestamp(row.openedAt),
      joinedAt: presentOptionalTimestamp(row.joinedAt),
      declinedAt: presentOptionalTimestamp(row.declinedAt),
      letteredAt: presentOptionalTimestamp(row.letteredAt),
      validUntil: lastDay.toString(),
      isExpired: isBefore(lastDay, today),
    };
  });
}

/** Counts employees who have neither a subscription nor had an invitation, up to 10,000. */
export const countUninvited = (db: Db | Tx, companyId: CompanyId): Promise<number> => countNew(db, companyId);

async function countStates(tx: Tx, companyId: CompanyId): Promise<Campaign['counts']> {
  const { rows } = await sql<{ state: InvitationState; invitations: number }>`
    select s.state, count(*) as invitations
    from (select ${stateOf(companyId)} as state from ${source(companyId)} where ${ofCompany(companyId, 'i')}) s
    group by s.state`.execute(tx);
  const counts = new Map(rows.map(({ state, invitations }) => [state, invitations]));
  return Object.fromEntries(invitationStates.map((state) => [state, counts.get(state) ?? 0])) as Campaign['counts'];
}

/** Returns how far the invitations of a company have got. Requires a transaction that sees a single state. */
export async function loadCampaign(
  tx: Tx,
  company: Company,
  { today, view, isMailConfigured }: { today: Temporal.PlainDate; view: View; isMailConfigured: boolean },
): Promise<Campaign> {
  const { joining, inviteAutomatically } = company;
  const { planType, ticketCents, companyCents, employeeCents } = (await loadOffers(tx, company, today))(undefined);
  return {
    ...{ joining, inviteAutomatically, isMailConfigured },
    uninvited: await countUninvited(tx, company.id),
    counts: await countStates(tx, company.id),
    offer: {
      planType,
      dependsOnPolicy: company.policies !== undefined,
      ticketPrice: view.money(ticketCents),
      companyAmount: view.money(companyCents),
      employeeAmount: view.money(employeeCents),
    },
  };
}
