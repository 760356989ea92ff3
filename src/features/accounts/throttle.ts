import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { type Counter, networkOf } from '../../platform/http/rate-limit.ts';

const allowedFailures = 10;
const windowMinutes = 15;
const allowedOfClient = 20;

const throttled = (seconds: number) =>
  new ApiError(
    'sign-in-throttled',
    `Too many attempts. Try again in ${seconds} seconds.`,
    {},
    { 'retry-after': String(seconds) },
  );

const hashOf = (name: string) => hash('sha256', name, 'buffer');

/**
 * Guesses are counted here and not by a library such as rate-limiter-flexible: a count is withdrawn when the attempt
 * succeeds, a known browser has its own (see `createKnownDevices`), and one statement counts for all processes without
 * another table or store.
 *
 * Counts attempts per target, across all clients and all processes. An attempt is counted before the password is
 * checked, so that parallel attempts do not all see the same count. A successful attempt withdraws its own count.
 * Unknown addresses are counted in the same way.
 */
export async function countAttempt(db: Db, name: string, allowed = allowedFailures): Promise<void> {
  const isExpired = sql`f.ends_at <= now()`;
  const { rows } = await sql<{ failures: number; seconds: number }>`
    insert into portal_sign_in_failures as f (email_hash, failures, ends_at)
    values (${hashOf(name)}, 1, now() + make_interval(mins => ${windowMinutes}))
    on conflict (email_hash) do update set
      failures = case when ${isExpired} then 1 else f.failures + 1 end,
      ends_at = case when ${isExpired} then excluded.ends_at else f.ends_at end
    returning f.failures, ceil(extract(epoch from f.ends_at - now()))::int as seconds`.execute(db);
  const [row] = rows;
  if (row !== undefined && row.failures > allowed) throw throttled(Math.max(1, row.seconds));
}

/**
 * Counts an attempt of a signed-in user, and forgets all of them if `check` returns a result. Also deletes all expired
 * attempts, so that guesses at thousands of addresses leave no rows behind.
 */
export async function limitAttempts<T>(db: Db, name: string, check: () => Promise<T>): Promise<T> {
  await countAttempt(db, name);
  const result = await check();
  if (result)
    await sql`delete from portal_sign_in_failures where email_hash = ${hashOf(name)} or ends_at <= now()`.execute(db);
  return result;
}

/**
 * Withdraws an attempt that succeeded. Earlier failures still count. Several companies may have an account for this
 * address, and a user who can sign in to one of them must not be able to guess at the others without limit.
 */
export async function withdrawAttempt(db: Db, name: string): Promise<void> {
  await sql`
    update portal_sign_in_failures set failures = failures - 1
    where email_hash = ${hashOf(name)} and failures > 0 and ends_at > now()`.execute(db);
  await sql`delete from portal_sign_in_failures where ends_at <= now()`.execute(db);
}

/**
 * Counts the failures of one client per minute, for any target. Returns a function that withdraws an attempt that did
 * not fail, so that an office behind one address is not locked out by sign-ins that succeed.
 */
export function createClientThrottle(counter: Counter, what = 'sign-in'): (address: string) => () => void {
  return (address) => {
    const name = `${what} ${networkOf(address)}`;
    const now = performance.now();
    const window = counter.hit(name, now);
    if (window.count > allowedOfClient) throw throttled(Math.max(1, Math.ceil((window.endsAt - now) / 1000)));
    return () => counter.undo(name);
  };
}
