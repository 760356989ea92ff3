import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../platform/clock/clock.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inSavepoint, writeShared } from '../../platform/db/write.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import { countScimChange } from './changes.ts';
import { userShape } from './rules/names.ts';
import { applyPatch, readOperations } from './rules/patch.ts';
import { assertUsable, isSameEntry, presentDetails, readUser, type ScimUser } from './rules/user.ts';
import { notUnique, ScimError } from './scim-error.ts';
import { findUser, insertUser, markUserDeleted, type UserRow, updateUser } from './store.ts';
import type { ScimCaller } from './tokens.ts';

export interface ScimContext {
  db: Db;
  clock: Clock;
  queue: Pick<Enqueue, 'enqueueScimChanges'>;
  caller: ScimCaller;
}

/** The name of the version that the provider expects, or undefined. */
export type IfMatch = string | undefined;

export const versionOf = ({ version }: { version: number }) => `W/"${version}"`;

export const noResource = (kind: 'User' | 'Group') =>
  new ScimError(404, `There is no such ${kind} in this integration. It may have been deleted: query for it again.`);

export function assertVersion(row: { version: number }, ifMatch: IfMatch): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const expected = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (expected.includes(`"${row.version}"`)) return;
  throw new ScimError(412, `The resource has changed since: its version is ${versionOf(row)}. Read it again.`);
}

const taken: Record<string, string> = {
  scim_users_by_user_name: 'Another user has this `userName`. Query for it and change that user.',
  scim_users_by_hr_id: 'Another active user has this HR id. Employee numbers, or external ids, must be unique.',
  scim_users_by_email: 'Another active user has this email address. Addresses of employees must be unique.',
};

/** Turns the violation of a unique index into what the provider can do about it. */
export function toUniquenessError(error: unknown): unknown {
  const { code, constraint, message } = error as Error & { code?: string; constraint?: string };
  // On Citus, only the message names the index, with the number of its shard.
  const name = Object.keys(taken).find((one) => (constraint ?? message).includes(one));
  return code === '23505' && name !== undefined ? notUnique(taken[name] ?? '') : error;
}

const targetOf = ({ companyId, hrIntegrationId }: ScimCaller) => ({ companyId, hrIntegrationId });

/** Writes what no operation of the API shows: the employees change with the sync. Within a transaction it is a part of it. */
export const writeScim = <T>({ db }: ScimContext, write: (tx: Tx) => Promise<T>): Promise<T> =>
  (db.isTransaction ? inSavepoint(db as Tx, write) : writeShared(db, write)).catch((error) => {
    throw toUniquenessError(error);
  });

export async function getUser({ db, caller }: Pick<ScimContext, 'db' | 'caller'>, id: number): Promise<UserRow> {
  const row = await findUser(db, targetOf(caller), id);
  if (row === undefined) throw noResource('User');
  return row;
}

function assertComplete({ clock, caller }: ScimContext, user: ScimUser): void {
  if (user.active) assertUsable(user, caller.hrIdAttribute, todayIn(clock, caller.timeZone));
}

export function createUser(context: ScimContext, body: unknown): Promise<UserRow> {
  const { clock, queue, caller } = context;
  const user = readUser(body, { timeZone: caller.timeZone });
  assertComplete(context, user);
  const target = targetOf(caller);
  return writeScim(context, async (tx) => {
    const row = await insertUser(tx, { target, user, attribute: caller.hrIdAttribute, now: clock.now() });
    if (user.active) await countScimChange(tx, queue, target);
    return row;
  });
}

const isSameUser = (one: ScimUser, other: ScimUser) =>
  isDeepStrictEqual([presentDetails(one), one.details], [presentDetails(other), other.details]);

/** Changes a user to what `change` makes of them. Without a difference nothing is written, and the version stays. */
function changeUser(
  context: ScimContext,
  { id, ifMatch }: { id: number; ifMatch: IfMatch },
  change: (before: UserRow) => ScimUser,
): Promise<UserRow> {
  const { clock, queue, caller } = context;
  const target = targetOf(caller);
  const attribute = caller.hrIdAttribute;
  return writeScim(context, async (tx) => {
    const before = await findUser(tx, target, id, true);
    if (before === undefined) throw noResource('User');
    assertVersion(before, ifMatch);
    const user = change(before);
    if (isSameUser(before, user)) return before;
    assertComplete(context, user);
    const row = await updateUser(tx, before, { target, user, attribute, now: clock.now() });
    if (!isSameEntry(before, user, attribute)) await countScimChange(tx, queue, target);
    return row;
  });
}

export const replaceUser = (context: ScimContext, of: { id: number; ifMatch: IfMatch }, body: unknown) =>
  changeUser(context, of, (before) => readUser(body, { before, timeZone: context.caller.timeZone }));

export function patchUser(context: ScimContext, of: { id: number; ifMatch: IfMatch }, body: unknown) {
  const operations = readOperations(body);
  return changeUser(context, of, (before) =>
    readUser(applyPatch(presentDetails(before), operations, userShape), {
      before,
      timeZone: context.caller.timeZone,
    }),
  );
}

/** Deletes a user. The employee leaves with the next sync, as far as the guard allows. */
export function deleteUser(context: ScimContext, { id, ifMatch }: { id: number; ifMatch: IfMatch }): Promise<void> {
  const { clock, queue, caller } = context;
  const target = targetOf(caller);
  return writeScim(context, async (tx) => {
    const before = await findUser(tx, target, id, true);
    if (before === undefined) throw noResource('User');
    assertVersion(before, ifMatch);
    await markUserDeleted(tx, target, id, clock.now());
    if (before.active) await countScimChange(tx, queue, target);
  });
}
