import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atLeast, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import type { TestApp } from '../../test/support/app.ts';
import { listPortalRoutes } from '../../test/support/portal.ts';
import { walletEnv } from '../../test/support/wallets.ts';
import { openPortalGenerators } from '../support/generate-portal.ts';
import { type Generated, type Generator, randomOf } from '../support/generated.ts';
import { makeTargets } from '../support/targets.ts';
import { withTestApp } from '../support/test-app.ts';
import { inParallel, openWire } from '../support/wire.ts';
import { openRequestGenerators } from './generate-requests.ts';
import { Judge } from './judge.ts';
import { makePortalSeat } from './portal-seat.ts';

interface RequestPlan {
  requests: number;
}

const lanes = 16;
/** Rosters are small here, so that requests can also exceed the limits of a roster. */
const limits = { entries: 30, bytes: 256 * 1024 };
/** One of this many pairs of requests goes to the portal's own API. */
const portalShare = 10;

const env = {
  ...walletEnv,
  MAX_SYNC_ENTRIES: String(limits.entries),
  MAX_SYNC_BYTES: String(limits.bytes),
  // This process generates requests and also serves them, so the scenario must not count overload as a finding.
  OVERLOAD_DELAY_MS: '60000',
};

interface Source {
  name: string;
  slips: number;
  valid: Generator;
  invalid: Generator;
}

/**
 * Returns request `number`. Requests come in pairs of a valid and an invalid one. Operations take turns, and so do
 * portal routes.
 */
function choose(api: Source[], portal: Source[], seed: number, number: number): Generated {
  const pair = Math.floor(number / 2);
  const earlier = Math.floor(pair / portalShare);
  const isPortal = pair % portalShare === portalShare - 1;
  const source = isPortal ? portal[earlier % portal.length] : api[(pair - earlier) % api.length];
  if (source === undefined) throw new Error('There is nothing to ask.');
  return source[number % 2 === 0 ? 'valid' : 'invalid'](randomOf(seed, number), number);
}

/** Waits until all rosters have their outcome. Counts those that were accepted and those that could not be applied. */
async function countFailedSyncs({ db }: TestApp): Promise<{ accepted: number; failed: number }> {
  for (;;) {
    const { rows } = await sql<{ accepted: number; pending: number; failed: number }>`
      select count(*) as accepted, count(*) filter (where state in ('accepted', 'processing')) as pending,
        count(*) filter (where state = 'failed') as failed from syncs`.execute(db);
    const [row] = rows;
    if (row !== undefined && row.pending === 0) return row;
    await sleep(50);
  }
}

async function run({ requests }: RequestPlan, { seed, log }: Context): Promise<Metric[]> {
  return withTestApp({ env, worker: true, poolSize: lanes }, async (app) => {
    const api = openRequestGenerators(await makeTargets(app), limits);
    const portal = openPortalGenerators(await listPortalRoutes(app), await makePortalSeat(app), limits);
    const wire = openWire(app.url, lanes);
    const judge = new Judge(log);
    const begun = performance.now();
    try {
      await inParallel(requests, lanes, async (number) => {
        const request = choose(api, portal, seed, number);
        judge.hear(number, request, await wire.insist(request));
        app.logs.length = 0;
      });
    } finally {
      wire.close();
    }
    const seconds = (performance.now() - begun) / 1_000;
    const syncs = await countFailedSyncs(app);
    const sources = [...api, ...portal];
    return [
      info('requests', requests),
      info('of them with one mistake', judge.invalid),
      info('kinds of mistake made', judge.slips.size),
      info('requests a second', requests / seconds),
      info('answers 503 to a busy machine, asked again', wire.busy()),
      info('rosters accepted', syncs.accepted),
      none('operations and addresses never asked', sources.filter(({ name }) => !judge.names.has(name)).length),
      atLeast('operations that did what they were asked', judge.served.size, api.length),
      none('answers 5xx', judge.count('failed')),
      none('answers that the OpenAPI document does not describe', judge.count('undocumented')),
      none('invalid requests accepted', judge.count('accepted')),
      none('invalid requests refused for another reason', judge.count('misjudged')),
      none('valid requests refused', judge.count('refused')),
      none('accepted rosters that could not be applied', syncs.failed),
    ];
  });
}

/** Sends random requests to every operation and to the portal. Every second one has one named mistake. */
export const generatedRequests: Scenario<RequestPlan> = {
  name: 'generated-requests',
  title: 'generated requests, half of them invalid, to every operation',
  plans: { full: { requests: 100_000 }, quick: { requests: 900 } },
  run,
};
