import { type RawBuilder, sql } from 'kysely';
import { type AgreementState, agreementStates } from '../../domain/choices.ts';
import type { ActorType, ConsentWay } from '../../domain/enums.ts';
import { searchWords } from '../../domain/search.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { matchesWords, offsetOf, type PageRow, pageOf, toPage, wordForms } from '../../platform/db/page.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { listKeyNames, listUserNames } from '../activity/actor-names.ts';
import { listIdsByCode } from '../employees/find-employee.ts';
import type { Agreement, AgreementsPage, AgreementsQuery } from './contract.ts';
import { isOpened, isSignable } from './links.ts';

const and = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);
const or = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` or `);

/** Returns for each state a condition on employee `e`. Exactly one holds for each agreement. */
function conditionsOf(companyId: CompanyId): Record<AgreementState, RawBuilder<unknown>> {
  const isExpired = sql`exists (select from signing_links x
    where ${ofCompany(companyId, 'x')} and x.employee_id = e.id and x.expires_at <= now())`;
  // A signature counts only if nobody has recorded another consent since, such as for a later subscription.
  const isSigned = sql`exists (select from contract_signatures s
      where ${ofCompany(companyId, 's')} and s.employee_id = e.id and s.decision = 'contract-accepted')
    and coalesce((select c.actor_type = 'employee' from subscription_changes c
      where ${ofCompany(companyId, 'c')} and c.employee_id = e.id and c.cause = 'contract-accepted'
      order by c.id desc limit 1), false)`;
  return {
    open: sql`(${isSignable} and not ${isExpired})`,
    'link-expired': sql`(${isSignable} and ${isExpired})`,
    signed: sql`(e.contract_status = 'accepted' and ${isSigned})`,
    recorded: sql`(e.contract_status = 'accepted' and not (${isSigned}))`,
    rejected: sql`(e.contract_status = 'rejected')`,
  };
}

/** Holds for every employee `e` with an agreement. One that is pending counts as long as it can be accepted. */
const hasAgreement = (companyId: CompanyId) => sql`${ofCompany(companyId, 'e')} and e.removed_at is null
  and e.contract_status is not null and (e.contract_status <> 'pending' or ${isSignable})`;

/** The orders of the list. */
const sortExpressions = {
  name: () => sql`((e.last_name || ', ' || e.first_name) collate "und-x-icu")`,
  sentAt: (companyId: CompanyId) => sql`(select k.created_at from signing_links k
    where ${ofCompany(companyId, 'k')} and k.employee_id = e.id)`,
} as const;

interface Filter extends Pick<AgreementsQuery, 'states'> {
  search?: string | undefined;
}

async function matching(db: Db | Tx, companyId: CompanyId, { search = '', states = [] }: Filter) {
  const words = matchesWords('e', wordForms(searchWords(search)));
  const foundIds = await listIdsByCode(db, companyId, search);
  const isFound = foundIds ? [sql`e.id = any(${foundIds})`] : [];
  const conditions = conditionsOf(companyId);
  const isAll = states.length === 0 || states.length === agreementStates.length;
  return {
    isSearch: words.length > 0,
    condition: and([
      hasAgreement(companyId),
      ...(words.length > 0 ? [sql`(${or([sql`(${and(words)})`, ...isFound])})`] : []),
      ...(isAll ? [] : [sql`(${or(states.map((state) => conditions[state]))})`]),
    ]),
  };
}

/** Returns the employees whose agreements match, in the order of their ids. */
export async function selectAgreementIds(db: Db | Tx, companyId: CompanyId, filter: Filter): Promise<number[]> {
  const { condition } = await matching(db, companyId, filter);
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${condition} order by e.id`.execute(db);
  return rows.map(({ id }) => id);
}

interface AgreementRow extends PageRow, Omit<Agreement, 'employeeId' | 'decision'> {
  at: string | null;
  how: string | null;
  givenOn: string | null;
  actorType: ActorType;
  actor: string | null;
}

async function listRows(tx: Tx, companyId: CompanyId, query: AgreementsQuery) {
  const { condition, isSearch } = await matching(tx, companyId, query);
  const rows = sql`select e.id, ${sortExpressions[query.sortField](companyId)} as sorted from employees e
    where ${condition}`;
  // Counted on their own, all are found in the order of an index. What a search finds is few, and found once.
  const storedTotal = isSearch ? undefined : sql`select count(*) as total from employees e where ${condition}`;
  const page = pageOf({ rows, storedTotal }, query, offsetOf(query));
  const states = Object.entries(conditionsOf(companyId)).map(([name, holds]) => sql`when ${holds} then ${name}`);
  const { rows: found } = await sql<AgreementRow>`
    ${page.found} select n.total, e.id, e.first_name as "firstName", e.last_name as "lastName", e.email,
      case ${sql.join(states, sql` `)} end as state, l.created_at as "sentAt",
      case when ${isOpened} then l.opened_at end as "openedAt", l.expires_at as "expiresAt",
      (select max(r.reminded_on) from signing_reminders r where ${ofCompany(companyId, 'r')} and r.employee_id = e.id
        and r.link_number = l.number) as "remindedOn",
      d.at, d.how, d."givenOn", d."actorType", d.actor
    from ${page.source}
    left join employees e on ${ofCompany(companyId, 'e')} and e.id = p.id
    left join signing_links l on ${ofCompany(companyId, 'l')} and l.employee_id = p.id
    left join lateral (
      select c.recorded_at as at, c.message -> 'values' ->> 'how' as how, c.message -> 'values' ->> 'givenOn' as "givenOn",
        c.actor_type as "actorType", c.actor
      from subscription_changes c
      where ${ofCompany(companyId, 'c')} and c.employee_id = e.id and c.cause = 'contract-' || e.contract_status
      order by c.id desc limit 1
    ) d on true
    ${page.order}`.execute(tx);
  return toPage(found);
}

async function countAgreements(tx: Tx, companyId: CompanyId): Promise<AgreementsPage['data']['progress']> {
  const { rows } = await sql<{ status: 'pending' | 'accepted' | 'rejected'; count: number }>`
    select e.contract_status as status, count(*) as count from employees e where ${hasAgreement(companyId)}
    group by e.contract_status`.execute(tx);
  const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  const { pending: open = 0, accepted = 0, rejected = 0 } = counts;
  return { total: open + accepted + rejected, accepted, open, rejected };
}

const wayOf = (how: string | null) => (how?.replace(/^consent-/, '') as ConsentWay | undefined) ?? null;

/** Lists agreements with their state, and how far all of them are. Requires a transaction that sees a single state. */
export async function listAgreements(tx: Tx, companyId: CompanyId, query: AgreementsQuery): Promise<AgreementsPage> {
  const page = await listRows(tx, companyId, query);
  const actors = (type: ActorType) => [
    ...new Set(page.rows.flatMap(({ actorType, actor }) => (actorType === type ? (actor ?? []) : []))),
  ];
  const users = await listUserNames(tx, companyId, actors('user'));
  const keys = await listKeyNames(tx, companyId, actors('key'));
  const time = (text: string | null) => text && presentTimestamp(text);
  const { data } = presentPage(page, query, (row): Agreement => {
    const { id: employeeId, firstName, lastName, email, state, sentAt, openedAt, expiresAt, remindedOn } = row;
    const name = users.get(row.actor ?? '') ?? keys.get(row.actor ?? '') ?? null;
    return {
      ...{ employeeId, firstName, lastName, email, state, remindedOn },
      ...{ sentAt: time(sentAt), openedAt: time(openedAt), expiresAt: time(expiresAt) },
      decision: row.at && {
        ...{ at: presentTimestamp(row.at), given: wayOf(row.how), givenOn: row.givenOn },
        by: { type: row.actorType, name },
      },
    } as Agreement;
  });
  return { data: { ...data, progress: await countAgreements(tx, companyId) } };
}
