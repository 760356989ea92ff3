import { sql } from 'kysely';
import { parseUsername } from '../../features/keys/credentials.ts';
import { markKeyUsed } from '../../features/keys/keys.ts';
import { type RequestRow, toBatches } from '../../features/requests/batches.ts';
import { writeBatches } from '../../features/requests/write.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Calendar } from './calendar.ts';
import type { DemoContext } from './context.ts';
import { createRandom, type Random } from './random.ts';

/** The request log keeps as many days. */
const days = 7;
const seed = 20_260_701;
/** An address that documentation uses, so it belongs to nobody. */
const address = '203.0.113.24';

/** What the log shows of a request, and when it arrived. */
type Request = Pick<RequestRow, 'at' | 'method' | 'path' | 'status' | 'problem'>;

const get = (at: number, path: string): Request => ({
  at,
  method: 'GET',
  path: `/v1${path}`,
  status: 200,
  problem: null,
});

async function requestsOfSyncs({ tx, companyId, username }: DemoContext, since: Temporal.Instant): Promise<Request[]> {
  const { rows } = await sql<{ id: number; sync: string; accepted: string }>`
    select s.hr_integration_id as id, s.sync_id as sync, s.accepted_at as accepted from syncs s
    where ${ofCompany(companyId, 's')} and s.pushed_by = ${username} and s.accepted_at >= ${since.toString()}
    order by s.accepted_at`.execute(tx);
  return rows.flatMap(({ id, sync, accepted }) => {
    const at = Date.parse(accepted);
    return [
      { at, method: 'POST', path: `/v1/hr-integrations/${id}/sync`, status: 202, problem: null },
      ...[2, 5, 9].map((seconds) => get(at + seconds * 1000, `/hr-integrations/${id}/syncs/${sync}`)),
    ];
  });
}

/** Returns the requests of one day: the nightly export of a payroll system, and lookups during office hours. */
function requestsOfDay(random: Random, startOfDay: number, employeeIds: readonly number[]): Request[] {
  const at = (hour: number, minute: number) => startOfDay + (hour * 60 + minute) * 60_000 + random.int(0, 59_999);
  const nightly = [
    ...[1, 2, 3].map((page) => get(at(2, 10), `/employees?page=${page}&perPage=100`)),
    get(at(2, 12), '/billing/items?period=…&page=1&perPage=100'),
    get(at(2, 13), '/events?after=…&limit=…'),
  ];
  const lookups = Array.from({ length: random.int(12, 30) }, (): Request => {
    const time = at(random.int(8, 17), random.int(0, 59));
    if (random.chance(0.06)) return { ...get(time, '/employees/99999'), status: 404, problem: 'not-found' };
    if (random.chance(0.03)) return { ...get(time, '/employees?page=…'), status: 400, problem: 'invalid-parameters' };
    if (random.chance(0.4)) return get(time, '/employees?search=…');
    const id = random.pick(employeeIds);
    return get(time, random.pick([`/employees/${id}`, `/employees/${id}/subscription-history`, '/hr-integrations']));
  });
  return [...nightly, ...lookups];
}

/** Returns a UUID that is the same on every run. */
const createId = (random: Random) => {
  const hex = (digits: number) =>
    random
      .int(0, 16 ** digits - 1)
      .toString(16)
      .padStart(digits, '0');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(4)}${hex(8)}`;
};

/** Adds the requests of the last days to the log, as the demo's key would have made them. Nothing of them is personal. */
export async function addRequests(context: DemoContext, calendar: Calendar): Promise<void> {
  const { tx, companyId, username } = context;
  const key = parseUsername(username);
  if (key === undefined) throw new Error(`${username} is no username of a key.`);
  const random = createRandom(seed);
  const since = calendar.at(calendar.ago(days - 1), '00:00');
  const { rows: employees } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
    order by e.id limit 40`.execute(tx);
  const ids = employees.map(({ id }) => id);
  const requests = [
    ...(await requestsOfSyncs(context, since)),
    ...Array.from({ length: days }, (_, ago) => calendar.at(calendar.ago(ago), '00:00').epochMilliseconds).flatMap(
      (startOfDay) => requestsOfDay(random, startOfDay, ids),
    ),
  ].filter(({ at }) => at <= calendar.now.epochMilliseconds);
  const rows = requests.map(
    (request): RequestRow => ({
      ...request,
      companyId,
      keyId: key.keyId,
      id: createId(random),
      us: random.int(1_500, request.method === 'POST' ? 90_000 : 14_000),
      address,
    }),
  );
  await writeBatches(tx, toBatches(rows), companyId);
  const last = Math.max(...rows.map(({ at }) => at));
  await markKeyUsed(tx, key, Temporal.Instant.fromEpochMilliseconds(last));
}
