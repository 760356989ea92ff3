import { sql } from 'kysely';
import type { Actor } from '../../domain/actor.ts';
import type { ActorType, RequestAction, RequestStatus, Side } from '../../domain/enums.ts';
import type { PlannedDates } from '../../domain/subscription/public-dates.ts';
import type { Consent, Subscription } from '../../domain/subscription/subscription.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import {
  offsetOf,
  type Page,
  type PageRequest,
  type PageRow,
  type PageShape,
  pageOf,
  toPage,
} from '../../platform/db/page.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';

/** A request that is to be stored. One per employee and call. */
export interface NewRequest {
  employeeId: number;
  action: RequestAction;
  from: Temporal.PlainDate;
  until: Temporal.PlainDate | null;
  reason: string | null;
  consent: Consent | null;
  undoUntil: Temporal.PlainDate | null;
  before: Subscription;
  after: Subscription & { nextTicketOn: Temporal.PlainDate | null };
}

interface RequestMaker {
  actor: Actor;
  side: Side;
  at: Temporal.Instant;
}

/** Stores requests and marks the earlier ones of the same side as replaced. Returns the ids by employee. */
export async function insertRequests(
  tx: Tx,
  companyId: CompanyId,
  requests: readonly NewRequest[],
  { actor, side, at }: RequestMaker,
): Promise<Map<number, number>> {
  if (requests.length === 0) return new Map();
  const given = requests.map(({ consent, ...request }) => ({
    ...request,
    consentGiven: consent?.given ?? null,
    consentOn: consent?.on ?? null,
  }));
  const { rows } = await sql<{ id: number; employeeId: number }>`
    insert into subscription_requests (company_id, employee_id, action, side, from_on, until_on, reason, consent_given,
      consent_on, actor_type, actor, requested_at, undo_until, before, after)
    select ${companyId}, r."employeeId", r.action, ${side}, r."from", r.until, r.reason, r."consentGiven", r."consentOn",
      ${actor.type}, ${actor.name}, ${at.toString()}::timestamptz, r."undoUntil", r.before, r.after
    from json_to_recordset(${JSON.stringify(given)}::json) as r("employeeId" bigint, action text, "from" date, until date,
      reason text, "consentGiven" text, "consentOn" date, "undoUntil" date, before jsonb, after jsonb)
    returning id, employee_id as "employeeId"`.execute(tx);
  await sql`
    update subscription_requests q set status = 'replaced', replaced_by = n.id
    from json_to_recordset(${JSON.stringify(rows)}::json) as n(id bigint, "employeeId" bigint)
    where ${ofCompany(companyId, 'q')} and q.employee_id = n."employeeId" and q.side = ${side} and q.status = 'applied'
      and q.id <> n.id`.execute(tx);
  return new Map(rows.map(({ id, employeeId }) => [employeeId, id]));
}

/** Returns the newest requests of a side that still stand, by employee. */
export async function findStandingRequests(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
  side: Side,
): Promise<Map<number, { id: number; action: RequestAction }>> {
  if (employeeIds.length === 0) return new Map();
  const { rows } = await sql<{ id: number; action: RequestAction; employeeId: number }>`
    select q.id, q.action, q.employee_id as "employeeId" from subscription_requests q
    where ${ofCompany(companyId, 'q')} and q.employee_id = any(${employeeIds}) and q.side = ${side}
      and q.status = 'applied' order by q.id`.execute(tx);
  return new Map(rows.map(({ employeeId, ...request }) => [employeeId, request]));
}

/** A stored request. Days and times as texts. */
export interface StoredRequest {
  id: number;
  employeeId: number;
  action: RequestAction;
  side: Side;
  from: string;
  until: string | null;
  reason: string | null;
  actorType: ActorType;
  actorName: string | null;
  requestedAt: string;
  status: RequestStatus;
  undoUntil: string | null;
  undoneAt: string | null;
}

const requestColumns = sql`q.id, q.employee_id as "employeeId", q.action, q.side, q.from_on as "from", q.until_on as "until",
  q.reason, q.actor_type as "actorType", q.actor as "actorName", q.requested_at as "requestedAt", q.status,
  q.undo_until as "undoUntil", q.undone_at as "undoneAt"`;

interface RequestWithStates extends StoredRequest {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/** Returns requests with the states before and after them, by id. */
export async function findStates(
  tx: Tx,
  companyId: CompanyId,
  ids: readonly number[],
): Promise<Map<number, RequestWithStates>> {
  const { rows } = await sql<RequestWithStates>`
    select ${requestColumns}, q.before, q.after from subscription_requests q
    where ${ofCompany(companyId, 'q')} and q.id = any(${ids})`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Marks requests as undone. Those that they had replaced stand again. */
export async function markUndone(
  tx: Tx,
  companyId: CompanyId,
  undos: readonly { employeeId: number; requestId: number }[],
  { actor, at }: { actor: Actor; at: Temporal.Instant },
): Promise<void> {
  const ids = undos.map(({ requestId }) => requestId);
  const employeeIds = undos.map(({ employeeId }) => employeeId);
  await sql`
    update subscription_requests q set status = 'undone', undone_at = ${at.toString()}::timestamptz,
      undone_by_type = ${actor.type}, undone_by = ${actor.name}
    where ${ofCompany(companyId, 'q')} and q.id = any(${ids})`.execute(tx);
  await sql`
    update subscription_requests q set status = 'applied', replaced_by = null
    where ${ofCompany(companyId, 'q')} and q.employee_id = any(${employeeIds}) and q.replaced_by = any(${ids})
      and q.status = 'replaced'`.execute(tx);
}

/** The result of a request, as it was stored. */
type After = PlannedDates<string> & { nextTicketOn: string | null };
export type RequestRow = StoredRequest & { after: After };

const rowColumns = sql`${requestColumns}, q.after`;

export async function findRequests(
  tx: Db,
  companyId: CompanyId,
  ids: readonly number[],
): Promise<Map<number, RequestRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<RequestRow>`
    select ${rowColumns} from subscription_requests q where ${ofCompany(companyId, 'q')} and q.id = any(${ids})`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export async function listRequestPage(
  db: Db,
  companyId: CompanyId,
  employeeId: number,
  request: PageRequest & PageShape,
): Promise<Page<RequestRow>> {
  const all = sql`select o.id, o.id as sorted from subscription_requests o
    where ${ofCompany(companyId, 'o')} and o.employee_id = ${employeeId}`;
  const page = pageOf({ rows: all, storedTotal: undefined }, request, offsetOf(request));
  const { rows } = await sql<RequestRow & PageRow>`
    ${page.found} select n.total, ${rowColumns} from ${page.source}
    left join subscription_requests q on ${ofCompany(companyId, 'q')} and q.id = p.id ${page.order}`.execute(db);
  return toPage(rows);
}

const selectNewestRequests = preparedStatement(
  (_shape: object, { companyId, employeeId, limit }: { companyId: CompanyId; employeeId: number; limit: number }) =>
    sql<StoredRequest>`
      select ${requestColumns} from subscription_requests q
      where ${ofCompany(companyId, 'q')} and q.employee_id = ${employeeId} order by q.id desc limit ${limit}`,
);

/** Returns the newest requests about an employee first. */
export const listNewestRequests = (
  db: Db,
  companyId: CompanyId,
  employeeId: number,
  limit: number,
): Promise<StoredRequest[]> => selectNewestRequests(db, {}, { companyId, employeeId, limit });
