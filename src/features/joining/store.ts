import { type RawBuilder, sql } from 'kysely';
import type { InvitationState, Language } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type Invitation, lastReminderDay, reminderDays } from './rules/invitation.ts';

const unsubscribed = ['no-subscription', 'cancelled'];

/** Returns when the employee of invitation `i` was subscribed after it. Null: they were not. */
export const joinedAt = (companyId: CompanyId) => sql`(select min(c.recorded_at) from subscription_changes c
  where ${ofCompany(companyId, 'c')} and c.employee_id = i.employee_id and c.cause = 'subscribe'
    and c.recorded_at >= i.invited_at)`;

/** Holds if the mail of invitation `i` is on its way or has arrived. */
const isMailed = (companyId: CompanyId) => sql`exists (select from employee_mails m
  where ${ofCompany(companyId, 'm')} and m.employee_id = i.employee_id and m.kind = 'invitation'
    and m.occasion = i.number::text and m.state in ('pending', 'sent'))`;

/** Returns for each state a condition on invitation `i`. Exactly one holds for each invitation. */
export function conditionsOf(companyId: CompanyId): Record<InvitationState, RawBuilder<unknown>> {
  const hasJoined = sql`${joinedAt(companyId)} is not null`;
  const isOpen = sql`i.declined_at is null and not (${hasJoined})`;
  const isReached = sql`(i.lettered_at is not null or ${isMailed(companyId)})`;
  return {
    joined: sql`(${hasJoined})`,
    declined: sql`(i.declined_at is not null and not (${hasJoined}))`,
    opened: sql`(i.opened_at is not null and ${isOpen})`,
    invited: sql`(i.opened_at is null and ${isOpen} and ${isReached})`,
    unreachable: sql`(i.opened_at is null and ${isOpen} and not ${isReached})`,
  };
}

/** Returns the last invitation of each of these employees. Those who were never invited are missing. */
export async function findInvitations(
  db: Db | Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
): Promise<Map<number, Invitation>> {
  const { rows } = await sql<{ id: number; invitedOn: string; hasJoined: boolean; hasDeclined: boolean }>`
    select i.employee_id as id, i.invited_on as "invitedOn", ${joinedAt(companyId)} is not null as "hasJoined",
      i.declined_at is not null as "hasDeclined"
    from joining_invitations i where ${ofCompany(companyId, 'i')} and i.employee_id = any(${employeeIds})`.execute(db);
  return new Map(
    rows.map(({ id, invitedOn, ...invitation }) => [
      id,
      { ...invitation, invitedOn: Temporal.PlainDate.from(invitedOn) },
    ]),
  );
}

/** Returns every employee without a subscription, in the order of their ids. */
export async function listUnsubscribedIds(db: Db | Tx, companyId: CompanyId): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
      and e.subscription_status = any(${unsubscribed}) order by e.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Holds for every employee `e` whom the company may invite by itself, apart from what the rules say. */
const isNew = (companyId: CompanyId) => sql`${ofCompany(companyId, 'e')} and e.removed_at is null
  and e.subscription_status = 'no-subscription' and not e.is_leaving and e.auto_subscribe is distinct from false
  and not exists (select from joining_invitations i where ${ofCompany(companyId, 'i')} and i.employee_id = e.id)`;

/** Returns employees who were never invited and have never had a subscription, in the order of their ids. */
export async function listNewIds(
  db: Db | Tx,
  companyId: CompanyId,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${isNew(companyId)} and e.id > ${after}
    order by e.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

const mostCounted = 10_000;

/** Counts employees who were never invited and have never had a subscription, up to 10,000. */
export async function countNew(db: Db | Tx, companyId: CompanyId): Promise<number> {
  const { rows } = await sql<{ employees: number }>`
    select count(*) as employees from (
      select from employees e where ${isNew(companyId)} limit ${mostCounted}
    ) e`.execute(db);
  return rows[0]?.employees ?? 0;
}

export interface NewLink {
  employeeId: number;
  tokenHash: Buffer;
}

const listedLinks = (links: readonly NewLink[]) => {
  const rows = links.map(({ employeeId, tokenHash }) => ({ id: employeeId, hash: tokenHash.toString('hex') }));
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, hash text)`;
};

export async function insertLinks(tx: Tx, companyId: CompanyId, links: readonly NewLink[]): Promise<void> {
  await sql`insert into joining_links (company_id, token_hash, employee_id)
    select ${companyId}, decode(r.hash, 'hex'), r.id from ${listedLinks(links)}`.execute(tx);
}

/** Deletes the links of earlier invitations. */
export async function deleteLinks(tx: Tx, companyId: CompanyId, employeeIds: readonly number[]): Promise<void> {
  await sql`delete from joining_links l
    where ${ofCompany(companyId, 'l')} and l.employee_id = any(${employeeIds})`.execute(tx);
}

interface Moment {
  now: Temporal.Instant;
  /** The day of `now` where the company is. */
  today: Temporal.PlainDate;
}

/**
 * Invites employees, each at most once a day. `isRepeatable`: those who were invited before get a new invitation, which
 * replaces the earlier one. Returns the number of each new invitation.
 */
export async function upsertInvitations(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
  { now, today, isRepeatable }: Moment & { isRepeatable: boolean },
): Promise<Map<number, number>> {
  const again = sql`do update set number = i.number + 1, invited_at = excluded.invited_at,
    invited_on = excluded.invited_on, opened_at = null, declined_at = null, lettered_at = null, reminders = 0,
    reminded_on = null where i.invited_on < excluded.invited_on`;
  const { rows } = await sql<{ id: number; number: number }>`
    insert into joining_invitations as i (company_id, employee_id, invited_at, invited_on)
    select ${companyId}, r.id, ${now.toString()}::timestamptz, ${today.toString()}::date
    from unnest(${employeeIds}::bigint[]) as r(id)
    on conflict (company_id, employee_id) ${isRepeatable ? again : sql`do nothing`}
    returning i.employee_id as id, i.number`.execute(tx);
  return new Map(rows.map(({ id, number }) => [id, number]));
}

export interface Remindable {
  employeeId: number;
  number: number;
  invitedOn: string;
}

/**
 * Holds if the employee `e` of invitation `i` can be reminded on a day. Who was invited by letter alone cannot: nobody knows
 * whether mails reach them.
 */
const isRemindable = (companyId: CompanyId, today: string) => sql`
  e.removed_at is null and not e.is_leaving and e.auto_subscribe is distinct from false
    and e.subscription_status = any(${unsubscribed}) and i.declined_at is null
    and i.invited_on + ${lastReminderDay}::integer >= ${today}::date
    and (i.reminded_on is null or i.reminded_on < ${today}::date)
    and ${isMailed(companyId)} and ${joinedAt(companyId)} is null`;

const dueReminders = (today: string) =>
  sql.join(
    reminderDays.map(
      (days, index) => sql`(i.reminders <= ${index} and i.invited_on + ${days}::integer <= ${today}::date)`,
    ),
    sql` or `,
  );

/** How many reminders follow an invitation by themselves up to a day. */
const remindersBy = (today: string) =>
  sql.join(
    reminderDays.map((days) => sql`(i.invited_on + ${days}::integer <= ${today}::date)::integer`),
    sql` + `,
  );

/**
 * Notes that the reminders of this day are sent, and returns to whom. The next call of the same day returns nobody. Who
 * needs no reminder any more is passed over.
 */
export async function takeDueReminders(tx: Tx, companyId: CompanyId, day: Temporal.PlainDate): Promise<Remindable[]> {
  const today = day.toString();
  const isDue = sql`i.reminders < ${reminderDays.length} and i.declined_at is null and (${dueReminders(today)})`;
  const { rows } = await sql<Remindable>`
    update joining_invitations i set reminders = ${remindersBy(today)}, reminded_on = ${today}::date
    from employees e where ${ofCompany(companyId, 'i')} and ${ofCompany(companyId, 'e')} and e.id = i.employee_id
      and ${isDue} and ${isRemindable(companyId, today)}
    returning i.employee_id as "employeeId", i.number, i.invited_on as "invitedOn"`.execute(tx);
  await sql`update joining_invitations i set reminders = ${remindersBy(today)}
    where ${ofCompany(companyId, 'i')} and ${isDue}`.execute(tx);
  return rows;
}

/** The same for reminders that somebody sends by hand, to some of the employees. */
export async function takeReminders(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
  day: Temporal.PlainDate,
): Promise<Remindable[]> {
  const today = day.toString();
  const { rows } = await sql<Remindable>`
    update joining_invitations i set reminded_on = ${today}::date
    from employees e where ${ofCompany(companyId, 'i')} and ${ofCompany(companyId, 'e')} and e.id = i.employee_id
      and i.employee_id = any(${employeeIds}) and ${isRemindable(companyId, today)}
    returning i.employee_id as "employeeId", i.number, i.invited_on as "invitedOn"`.execute(tx);
  return rows;
}
export interface FoundInvitation {
  employeeId: number;
  invitedOn: string;
  openedAt: string | null;
  hasDeclined: boolean;
}

/** Returns the invitation of a link. Undefined: it was renewed or never existed, or the employee was removed. */
export async function findByToken(
  db: Db | Tx,
  companyId: CompanyId,
  tokenHash: Buffer,
): Promise<FoundInvitation | undefined> {
  const { rows } = await sql<FoundInvitation>`
    select i.employee_id as "employeeId", i.invited_on as "invitedOn", i.opened_at as "openedAt",
      i.declined_at is not null as "hasDeclined"
    from joining_links l
    join joining_invitations i on ${ofCompany(companyId, 'i')} and i.employee_id = l.employee_id
    join employees e on ${ofCompany(companyId, 'e')} and e.id = l.employee_id and e.removed_at is null
    where ${ofCompany(companyId, 'l')} and l.token_hash = ${tokenHash}`.execute(db);
  return rows[0];
}

/** Records that a link was opened, the first time only. */
export async function recordOpening(
  tx: Tx,
  companyId: CompanyId,
  employeeId: number,
  now: Temporal.Instant,
): Promise<void> {
  await sql`update joining_invitations i set opened_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 'i')} and i.employee_id = ${employeeId} and i.opened_at is null`.execute(tx);
}

/** Records that an employee declines. Returns false if they had already. */
export async function recordDecline(
  tx: Tx,
  companyId: CompanyId,
  employeeId: number,
  now: Temporal.Instant,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update joining_invitations i set declined_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 'i')} and i.employee_id = ${employeeId} and i.declined_at is null`.execute(tx);
  return numAffectedRows > 0n;
}

/** Notes that letters were printed for employees with an invitation. */
export async function recordLetters(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
  now: Temporal.Instant,
): Promise<void> {
  await sql`update joining_invitations i set lettered_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 'i')} and i.employee_id = any(${employeeIds})`.execute(tx);
}

/** Returns the languages that employees have chosen. */
export async function listLanguages(
  db: Db | Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
): Promise<Map<number, Language>> {
  const { rows } = await sql<{ id: number; language: Language }>`
    select e.id, e.language from employees e
    where ${ofCompany(companyId, 'e')} and e.id = any(${employeeIds}) and e.language is not null`.execute(db);
  return new Map(rows.map(({ id, language }) => [id, language]));
}
