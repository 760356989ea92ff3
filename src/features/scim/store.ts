import { type RawBuilder, sql } from 'kysely';
import type { HrIdAttribute } from '../../domain/enums.ts';
import { emailKey } from '../../domain/search.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type Integration, ofIntegration } from '../companies/companies.ts';
import { addressKeyOf, hrIdOf, type ScimUser, type UserDetails } from './rules/user.ts';

export interface UserRow extends ScimUser {
  id: number;
  version: number;
  createdAt: string;
  updatedAt: string;
}

interface StoredRow extends Omit<UserRow, 'details'> {
  details: UserDetails;
}

const columns = sql`u.id, u.user_name as "userName", u.external_id as "externalId", u.employee_number as "employeeNumber",
  u.active, u.attributes as details, u.version, u.created_at as "createdAt", u.updated_at as "updatedAt"`;

const isUser = (target: Integration) => sql<boolean>`${ofIntegration(target, 'u')} and u.deleted_at is null`;

export async function findUser(db: Db, target: Integration, id: number, lock = false): Promise<UserRow | undefined> {
  const { rows } = await sql<StoredRow>`select ${columns} from scim_users u
    where ${isUser(target)} and u.id = ${id} ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0];
}

export interface ListRequest {
  condition: RawBuilder<boolean> | undefined;
  sortValue: RawBuilder<unknown> | undefined;
  isDescending: boolean;
  offset: number;
  limit: number;
}

const where = (base: RawBuilder<boolean>, { condition }: ListRequest) =>
  condition === undefined ? base : sql<boolean>`${base} and ${condition}`;

export const orderOf = ({ sortValue, isDescending }: ListRequest) => {
  const direction = isDescending ? sql`desc` : sql`asc`;
  return sortValue === undefined
    ? sql`order by u.id ${direction}`
    : sql`order by ${sortValue} ${direction} nulls last, u.id ${direction}`;
};

export async function listUsers(db: Db, target: Integration, request: ListRequest) {
  const base = where(isUser(target), request);
  const counted = await sql<{ total: number }>`select count(*) as total from scim_users u where ${base}`.execute(db);
  const total = counted.rows[0]?.total ?? 0;
  if (request.limit === 0 || request.offset >= total) return { total, rows: [] };
  const { rows } = await sql<StoredRow>`select ${columns} from scim_users u where ${base}
    ${orderOf(request)} limit ${request.limit} offset ${request.offset}`.execute(db);
  return { total, rows: rows as UserRow[] };
}

interface Written {
  target: Integration;
  user: ScimUser;
  attribute: HrIdAttribute;
  now: Temporal.Instant;
}

const valuesOf = ({ user, attribute }: Written) => ({
  user_name: user.userName,
  user_name_key: emailKey(user.userName),
  external_id: user.externalId,
  employee_number: user.employeeNumber,
  active: user.active,
  hr_id: hrIdOf(user, attribute),
  email_key: addressKeyOf(user),
  attributes: JSON.stringify(user.details),
});

/** Forgets a deleted user whose HR id or address a user has now: the employee is in the roster again. */
async function forgetDeleted(tx: Tx, { target, user, attribute }: Written): Promise<void> {
  if (!user.active) return;
  await sql`delete from scim_users u where ${ofIntegration(target, 'u')} and u.deleted_at is not null
    and u.hr_id = ${hrIdOf(user, attribute)}`.execute(tx);
}

export async function insertUser(tx: Tx, written: Written): Promise<UserRow> {
  const { target, user, now } = written;
  await forgetDeleted(tx, written);
  const at = now.toString();
  const { id } = await tx
    .insertInto('scim_users')
    .values({
      company_id: target.companyId,
      hr_integration_id: target.hrIntegrationId,
      ...valuesOf(written),
      created_at: at,
      updated_at: at,
      left_at: user.active ? null : at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...user, id, version: 1, createdAt: at, updatedAt: at };
}

export async function updateUser(tx: Tx, before: UserRow, written: Written): Promise<UserRow> {
  const { target, user, now } = written;
  await forgetDeleted(tx, written);
  const at = now.toString();
  const version = before.version + 1;
  const isLeaving = before.active && !user.active;
  await tx
    .updateTable('scim_users as u')
    .set({
      ...valuesOf(written),
      version,
      updated_at: at,
      ...(user.active ? { left_at: null, removal_rejected: false } : isLeaving ? { left_at: at } : {}),
    })
    .where(ofCompany(target.companyId, 'u'))
    .where('u.id', '=', before.id)
    .execute();
  return { ...user, id: before.id, version, createdAt: before.createdAt, updatedAt: at };
}

export async function markUserDeleted(tx: Tx, target: Integration, id: number, now: Temporal.Instant): Promise<void> {
  const at = now.toString();
  await tx
    .updateTable('scim_users as u')
    .set({ active: false, left_at: at, deleted_at: at, updated_at: at, removal_rejected: false })
    .where(ofCompany(target.companyId, 'u'))
    .where('u.id', '=', id)
    .execute();
}

export async function listActiveUsers(
  db: Db,
  target: Integration,
  { after, limit }: { after: number; limit: number },
): Promise<UserRow[]> {
  const { rows } = await sql<StoredRow>`select ${columns} from scim_users u
    where ${isUser(target)} and u.left_at is null and u.id > ${after} order by u.id limit ${limit}`.execute(db);
  return rows;
}
