import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { info, type Metric, none, noneOf } from '../../harness/metrics.ts';
import type { Context } from '../../harness/scenario.ts';
import { usernameOf } from '../../src/features/keys/credentials.ts';
import { createRandom, type Random } from '../../src/operator/demo/random.ts';
import { ofCompany } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { holdsWithin } from '../../test/support/until.ts';
import type { Fixture } from './fixture.ts';
import {
  type Exchange,
  HttpClient,
  type HttpRequest,
  isProperRefusal,
  portalRequest,
  readCookies,
  signInRequest,
} from './http-client.ts';
import { RosterPusher, RosterStream } from './roster-pusher.ts';
import { chargedPeriod, makeCharges, makeTestCompany, withoutGuard } from './test-company.ts';
import { findWrongCompanies, listSyncIds, untilApplied } from './verify.ts';

type Kind = 'employees' | 'export' | 'sync' | 'key' | 'sign-in' | 'portal' | 'health';

export interface Outcome {
  kind: Kind;
  begunAt: number;
  endedAt: number;
  /** `cut`: an export that was broken off after it had started, as the contract allows. */
  result: 'done' | 'unavailable' | 'cut' | 'unexpected';
  detail: string;
}

export const countResults = (outcomes: Outcome[], result: Outcome['result']) =>
  outcomes.filter((outcome) => outcome.result === result).length;

/** The time after which a client gives up. It is longer than every timeout of the service. */
const timeoutMs = 90_000;

async function openLoad(db: Db, apiUrl: string, charges: number, random: Random) {
  const company = await makeTestCompany(db, withoutGuard);
  const { companyId, user } = company;
  await makeCharges(db, companyId, charges);
  await sql`analyze`.execute(db);
  const client = new HttpClient(apiUrl);
  const { origin } = client;
  const pusher = new RosterPusher(company, apiUrl, new RosterStream(random));
  const outcomes: Outcome[] = [];
  const underway = new Set<{ begunAt: number }>();
  const acknowledgedKeys = new Set<string>();
  let cookie = '';

  const headers = { authorization: company.authorization };
  const nextKey = () => ({ name: `Key ${outcomes.length}`, permissions: ['view-billing'], expiresAt: null });
  const nextPush = () => {
    const last = [...pusher.sent.keys()].at(-1);
    const isOpen = last !== undefined && !pusher.acknowledged.has(last);
    return pusher.requestFor(isOpen ? last : pusher.next(random.int(50, 300)));
  };
  /** Reads and writes of the API and of the portal: their status, and the average pause after a response. */
  const requests: Record<Kind, [status: number, pauseMs: number, next: () => HttpRequest]> = {
    employees: [200, 20, () => ({ path: '/v1/employees?perPage=20', headers })],
    export: [200, 50, () => ({ path: `/v1/billing/items/${chargedPeriod}/ticket-charge`, headers })],
    sync: [204, 100, nextPush],
    key: [201, 60, () => portalRequest(origin, '/keys', nextKey(), cookie)],
    'sign-in': [204, 300, () => signInRequest(origin, user)],
    portal: [200, 40, () => portalRequest(origin, '/overview', undefined, cookie)],
    health: [204, 50, () => ({ path: '/v1/health' })],
  };
  const kinds = Object.keys(requests) as Kind[];

  function classify(kind: Kind, request: HttpRequest, response: Exchange): Pick<Outcome, 'result' | 'detail'> {
    const { status, bytes, ending, error } = response;
    const detail = `${status} ${ending} ${error ?? bytes.subarray(0, 200)}`;
    if (isProperRefusal(response)) return { result: 'unavailable', detail };
    if (status !== requests[kind][0]) return { result: 'unexpected', detail };
    if (ending !== 'complete') return { result: kind === 'export' ? 'cut' : 'unexpected', detail };
    if (kind === 'sync') pusher.acknowledged.add((request.body as { syncId: string }).syncId);
    if (kind === 'key') acknowledgedKeys.add(JSON.parse(bytes.toString()).data.username);
    if (kind === 'sign-in') cookie = readCookies(response);
    const isWhole = kind !== 'export' || JSON.parse(bytes.toString()).data.length === charges;
    return { result: isWhole ? 'done' : 'unexpected', detail: isWhole ? '' : `incomplete: ${detail}` };
  }

  async function sendOne(kind: Kind): Promise<Outcome> {
    const started = { begunAt: Date.now() };
    underway.add(started);
    const request = requests[kind][2]();
    const response = await client.exchangeAgain(request, { slowRead: true, timeoutMs });
    const outcome = { kind, ...started, endedAt: Date.now(), ...classify(kind, request, response) };
    outcomes.push(outcome);
    underway.delete(started);
    return outcome;
  }

  for (const kind of ['sign-in', ...kinds] as const) {
    const { result, detail } = await sendOne(kind);
    if (result !== 'done') throw new Error(`${kind} fails before there is any fault: ${detail}`);
  }
  return {
    kinds,
    outcomes,
    underway,
    pusher,
    acknowledgedKeys,
    /** Runs this many clients of each kind until `work` has ended. Requests in progress at that time still finish. */
    async runDuring(width: number, work: () => Promise<void>): Promise<void> {
      let isOver = false;
      const loop = async (kind: Kind) => {
        for (; !isOver; await sleep(random.int(0, 2 * requests[kind][1]))) await sendOne(kind);
      };
      const running = Array.from({ length: width }, () => kinds.map(loop)).flat();
      await work().finally(() => {
        isOver = true;
      });
      await Promise.all(running);
    },
    async findLostWrites(): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select k.id from api_keys k where ${ofCompany(companyId, 'k')}`.execute(db);
      const usernames = new Set(rows.map(({ id }) => usernameOf({ companyId, keyId: id })));
      const syncIds = new Set(await listSyncIds(db, companyId));
      return [...pusher.acknowledged.difference(syncIds), ...acknowledgedKeys.difference(usernames)];
    },
  };
}

type OutageLoad = Awaited<ReturnType<typeof openLoad>>;

/** Returns the seconds from `since` until every kind of request succeeds and nothing has failed for `steadyMs`. */
async function untilRequestsSucceed(load: OutageLoad, since: number, { steadyMs, timeoutSeconds }: RecoveryLimits) {
  const { outcomes, underway, kinds } = load;
  const after = () => outcomes.filter(({ endedAt }) => endedAt >= since);
  const lastFailure = () => Math.max(since, ...after().flatMap((one) => (one.result === 'done' ? [] : one.endedAt)));
  const firstDone = () => {
    const done = after().filter(({ begunAt, result }) => begunAt >= since && result === 'done');
    return Math.max(...kinds.map((kind) => done.find((one) => one.kind === kind)?.begunAt ?? Infinity));
  };
  const isSteady = () =>
    Date.now() - lastFailure() >= steadyMs &&
    firstDone() < Infinity &&
    [...underway].every(({ begunAt }) => begunAt >= since);
  if (!(await holdsWithin(timeoutSeconds * 1_000, isSteady))) return Infinity;
  return (Math.max(lastFailure(), firstDone()) - since) / 1_000;
}

async function untilJobsAreDone(db: Db, probe: RosterPusher, since: number, timeoutSeconds: number): Promise<number> {
  const syncId = probe.next(3);
  // Queries the database directly, because the API may be the part that has not recovered.
  const isApplied = async () => {
    const { rows } = await sql`
      select 1 from syncs s where ${ofCompany(probe.company.companyId, 's')} and s.sync_id = ${syncId}
        and s.state = 'succeeded'`.execute(db);
    return rows.length > 0;
  };
  while (Date.now() < since + timeoutSeconds * 1_000) {
    const isAccepted = probe.acknowledged.has(syncId) || (await probe.post(syncId)) === 204;
    if (isAccepted && (await isApplied().catch(() => false))) return (Date.now() - since) / 1_000;
    await sleep(50);
  }
  return Infinity;
}

interface RecoveryLimits {
  steadyMs: number;
  timeoutSeconds: number;
}

export async function startOutage(fixture: Fixture, url: string, charges: number, { seed, log }: Context) {
  const { db } = fixture;
  const api = await fixture.startApi({ DATABASE_URL: url });
  let endedApis = 0;
  api.exited.then(() => endedApis++);
  const worker = await fixture.startWorker(url);
  const load = await openLoad(db, api.url, charges, createRandom(seed + 1));
  // None of the jobs of this company is ever interrupted, so it shows whether new jobs are done.
  const probe = new RosterPusher(await makeTestCompany(db), api.url, new RosterStream(createRandom(seed + 2)));
  const { outcomes, pusher } = load;
  return {
    load,
    async measureRecovery(limits: RecoveryLimits) {
      const since = Date.now();
      const [requests, jobs] = await Promise.all([
        untilRequestsSucceed(load, since, limits),
        untilJobsAreDone(db, probe, since, limits.timeoutSeconds),
      ]);
      return { requests, jobs };
    },
    async judge(settleMs: number): Promise<Metric[]> {
      await untilApplied(db, settleMs, () => !worker.isRunning());
      const wrong = await findWrongCompanies(db, [pusher]);
      const lost = await load.findLostWrites();
      const unexpected = outcomes.flatMap(({ result, kind, detail }) =>
        result === 'unexpected' ? `${kind}: ${detail}` : [],
      );
      return [
        info('requests that succeeded', countResults(outcomes, 'done')),
        info('requests refused with 503', countResults(outcomes, 'unavailable')),
        info('exports broken off in the middle', countResults(outcomes, 'cut')),
        noneOf('responses other than success and a proper 503, and broken connections', unexpected, log),
        info('writes acknowledged', pusher.acknowledged.size + load.acknowledgedKeys.size),
        noneOf('acknowledged writes lost', lost, log),
        noneOf('companies that differ from their rosters', wrong, log),
        none('processes that ended', Number(!worker.isRunning()) + endedApis),
      ];
    },
  };
}

export type Outage = Awaited<ReturnType<typeof startOutage>>;
