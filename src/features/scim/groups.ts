import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { formatMessage } from '../../domain/messages/message.ts';
import { findTextProblem } from '../../domain/single-line-text.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type Integration, ofIntegration } from '../companies/companies.ts';
import { groupSchema, groupShape, isObject, type Json, readName } from './rules/names.ts';
import { applyPatch, readOperations } from './rules/patch.ts';
import { badRequest } from './scim-error.ts';
import { type ListRequest, orderOf } from './store.ts';
import type { ScimCaller } from './tokens.ts';
import { assertVersion, type IfMatch, noResource, type ScimContext, writeScim } from './users.ts';

/** Groups are stored and returned. They change no employee: the group of an employee is in our own extension. */
const maxMembers = 5_000;

interface Group {
  displayName: string;
  externalId: string | null;
  /** The ids of the users, in ascending order. */
  memberIds: number[];
}

export interface GroupRow extends Omit<Group, 'memberIds'> {
  id: number;
  version: number;
  createdAt: string;
  updatedAt: string;
}

const columns = sql`u.id, u.display_name as "displayName", u.external_id as "externalId", u.version,
  u.created_at as "createdAt", u.updated_at as "updatedAt"`;

async function findGroup(db: Db, target: Integration, id: number, lock = false): Promise<GroupRow> {
  const { rows } = await sql<GroupRow>`select ${columns} from scim_groups u
    where ${ofIntegration(target, 'u')} and u.id = ${id} ${lock ? sql`for update` : sql``}`.execute(db);
  if (rows[0] === undefined) throw noResource('Group');
  return rows[0];
}

export const getGroup = ({ db, caller }: Pick<ScimContext, 'db' | 'caller'>, id: number) => findGroup(db, caller, id);

export async function listGroups(db: Db, target: Integration, request: ListRequest) {
  const base = sql<boolean>`${ofIntegration(target, 'u')}
    ${request.condition === undefined ? sql`` : sql`and ${request.condition}`}`;
  const counted = await sql<{ total: number }>`select count(*) as total from scim_groups u where ${base}`.execute(db);
  const total = counted.rows[0]?.total ?? 0;
  if (request.limit === 0 || request.offset >= total) return { total, rows: [] };
  const { rows } = await sql<GroupRow>`select ${columns} from scim_groups u where ${base}
    ${orderOf(request)} limit ${request.limit} offset ${request.offset}`.execute(db);
  return { total, rows };
}

interface Member {
  groupId: number;
  userId: number;
  userName: string;
  display: string;
}

/** Returns the members of these groups, or the groups of these users, that still exist. */
async function listMembers(db: Db, { companyId }: ScimCaller, of: 'group_id' | 'user_id', ids: number[]) {
  const { rows } = await sql<Member>`
    select m.group_id as "groupId", m.user_id as "userId", u.user_name as "userName", g.display_name as display
    from scim_group_members m
    join scim_users u on ${ofCompany(companyId, 'u')} and u.id = m.user_id and u.deleted_at is null
    join scim_groups g on ${ofCompany(companyId, 'g')} and g.id = m.group_id
    where ${ofCompany(companyId, 'm')} and ${sql.ref(`m.${of}`)} = any(${ids})
    order by m.group_id, m.user_id`.execute(db);
  return rows;
}

const presentGroup = ({ displayName, externalId }: GroupRow, members: Json[]): Json => ({
  schemas: [groupSchema],
  ...(externalId === null ? {} : { externalId }),
  displayName,
  members,
});

export async function presentGroups(
  { db, caller, base }: Pick<ScimContext, 'db' | 'caller'> & { base: string },
  rows: GroupRow[],
  needsMembers: boolean,
): Promise<Json[]> {
  const ids = rows.map(({ id }) => id);
  const members = needsMembers ? await listMembers(db, caller, 'group_id', ids) : [];
  const byGroup = Map.groupBy(members, ({ groupId }) => groupId);
  return rows.map((row) =>
    presentGroup(
      row,
      (byGroup.get(row.id) ?? []).map(({ userId, userName }) => ({
        value: String(userId),
        display: userName,
        type: 'User',
        $ref: `${base}/Users/${userId}`,
      })),
    ),
  );
}

/** Returns the groups of each user, for the read-only attribute `groups`. */
export async function listGroupsOf(
  { db, caller, base }: Pick<ScimContext, 'db' | 'caller'> & { base: string },
  ids: number[],
): Promise<Map<number, Json[]>> {
  const byUser = Map.groupBy(await listMembers(db, caller, 'user_id', ids), ({ userId }) => userId);
  const present = ({ groupId, display }: Member) => ({
    value: String(groupId),
    display,
    $ref: `${base}/Groups/${groupId}`,
  });
  return new Map(Array.from(byUser, ([id, groups]) => [id, groups.map(present)]));
}

function readText(body: Json, name: string): string | null {
  const value = readName(body, name);
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw badRequest('invalidValue', `\`${name}\` must be a text.`);
  const text = value.trim();
  const problem = findTextProblem(text);
  if (problem !== undefined) throw badRequest('invalidValue', `\`${name}\` ${formatMessage(problem.message)}.`);
  if (text.length > 255) throw badRequest('invalidValue', `\`${name}\` must have at most 255 characters.`);
  return text;
}

function readGroup(body: unknown): Group {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body is not a group. Send a JSON object.');
  const displayName = readText(body, 'displayName');
  if (displayName === null) throw badRequest('invalidValue', '`displayName` is missing.');
  const members = [readName(body, 'members') ?? []].flat();
  if (members.length > maxMembers) throw badRequest('tooMany', `A group can have ${maxMembers} members.`);
  const memberIds = members.map((one) => {
    const id = String(isObject(one) ? readName(one, 'value') : one);
    if (!/^[1-9]\d{0,14}$/.test(id)) throw badRequest('invalidValue', '`members.value` must be the id of a user.');
    return Number(id);
  });
  return {
    displayName,
    externalId: readText(body, 'externalId'),
    memberIds: [...new Set(memberIds)].sort((a, b) => a - b),
  };
}

/** Stores the members. Throws if one of them is no user of the integration: groups within groups are not supported. */
async function writeMembers(tx: Tx, target: Integration, groupId: number, memberIds: number[]): Promise<void> {
  const { companyId } = target;
  const { rows } = await sql<{ id: number }>`select u.id from scim_users u
    where ${ofIntegration(target, 'u')} and u.deleted_at is null and u.id = any(${memberIds})`.execute(tx);
  if (rows.length !== memberIds.length) {
    throw badRequest('invalidValue', 'Some `members` are no users of this integration. Create the users first.');
  }
  await sql`delete from scim_group_members m where ${ofCompany(companyId, 'm')} and m.group_id = ${groupId}
    and not m.user_id = any(${memberIds})`.execute(tx);
  await sql`insert into scim_group_members (company_id, group_id, user_id)
    select ${companyId}, ${groupId}, n.id from unnest(${memberIds}::bigint[]) n (id)
    on conflict do nothing`.execute(tx);
}

export function createGroup(context: ScimContext, body: unknown): Promise<GroupRow> {
  const { clock, caller } = context;
  const { memberIds, displayName, externalId } = readGroup(body);
  const at = clock.now().toString();
  return writeScim(context, async (tx) => {
    const values = { display_name: displayName, external_id: externalId, created_at: at, updated_at: at };
    const { id } = await tx
      .insertInto('scim_groups')
      .values({ company_id: caller.companyId, hr_integration_id: caller.hrIntegrationId, ...values })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeMembers(tx, caller, id, memberIds);
    return findGroup(tx, caller, id);
  });
}

/** Changes a group to what `change` makes of it. Without a difference nothing is written. */
function changeGroup(
  context: ScimContext,
  { id, ifMatch }: { id: number; ifMatch: IfMatch },
  change: (before: Json) => unknown,
): Promise<GroupRow> {
  const { clock, caller } = context;
  return writeScim(context, async (tx) => {
    const row = await findGroup(tx, caller, id, true);
    assertVersion(row, ifMatch);
    const known = (await listMembers(tx, caller, 'group_id', [id])).map(({ userId }) => userId);
    const before = presentGroup(
      row,
      known.map((userId) => ({ value: String(userId) })),
    );
    const { displayName, externalId, memberIds } = readGroup(change(before));
    if (isDeepStrictEqual([displayName, externalId, memberIds], [row.displayName, row.externalId, known])) return row;
    await writeMembers(tx, caller, id, memberIds);
    await sql`update scim_groups u set display_name = ${displayName}, external_id = ${externalId},
      version = ${row.version + 1}, updated_at = ${clock.now().toString()}::timestamptz
      where ${ofIntegration(caller, 'u')} and u.id = ${id}`.execute(tx);
    return findGroup(tx, caller, id);
  });
}

export const replaceGroup = (context: ScimContext, of: { id: number; ifMatch: IfMatch }, body: unknown) =>
  changeGroup(context, of, () => body);

export function patchGroup(context: ScimContext, of: { id: number; ifMatch: IfMatch }, body: unknown) {
  const operations = readOperations(body);
  return changeGroup(context, of, (before) => applyPatch(before, operations, groupShape));
}

export function deleteGroup(context: ScimContext, { id, ifMatch }: { id: number; ifMatch: IfMatch }): Promise<void> {
  return writeScim(context, async (tx) => {
    assertVersion(await findGroup(tx, context.caller, id, true), ifMatch);
    await sql`delete from scim_groups u where ${ofIntegration(context.caller, 'u')} and u.id = ${id}`.execute(tx);
  });
}
