import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../src/demo/random.ts';
import type { RosterEntry } from '../../src/domain/roster/entry.ts';
import { type CheckingClient, type Pace, repeat } from '../support/checking-client.ts';
import { PortalClient, visitPortal } from '../support/portal-client.ts';
import { sendReadRequest } from '../support/read-requests.ts';
import { isPending } from '../support/roster-pusher.ts';
import type { TestCompany } from '../support/test-company.ts';

/** A company whose HR system pushes a roster of this size every night. */
export interface Customer extends TestCompany {
  size: number;
}

export interface LoadPlan {
  readers: number;
  /** The average pauses between two requests of a reader, two rosters of a company, two days, and two portal visits. */
  pauses: { readMs: number; pushMs: number; dayMs: number; visitMs: number };
}

/**
 * Returns a version of the roster. It differs from the previous version in one percent of the employees. Every second
 * version lacks the last few employees. One employee in ten has a subscription. The first hundred are in every version.
 */
function rosterOf(size: number, version: number): RosterEntry[] {
  const leavers = version % 2 === 0 ? 0 : Math.ceil(size / 200);
  return Array.from({ length: size - leavers }, (_, index) => ({
    hrId: `E-${index}`,
    firstName: 'Anna',
    lastName: `Muster${index} ${Math.floor((version + index) / 100)}`,
    email: `person.${index}@example.com`,
    dateOfBirth: `19${70 + (index % 30)}-0${1 + (index % 9)}-15`,
    autoSyncEmployee: index % 10 === 0,
  }));
}

export const timeoutMs = 300_000;

/** Pushes a version of the roster and waits until it is applied. Any result but success is a fault. */
export async function pushRoster(
  client: CheckingClient,
  api: string,
  { authorization, integrationId, size }: Customer,
  { syncId, version, isPreview = false }: { syncId: string; version: number; isPreview?: boolean },
): Promise<void> {
  const base = `${api}/hr-integrations/${integrationId}`;
  const headers = { authorization };
  const body = { syncId, employees: rosterOf(size, version) };
  const push = { method: 'POST', headers, body };
  if (isPreview) {
    await client.request(`${base}/sync?dryRun=true`, { ...push, status: 200 });
    return;
  }
  await client.request(`${base}/sync`, { ...push, status: 204 });
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await sleep(100)) {
    const { data } = await client.json<{ data: { state: string } }>(`${base}/syncs/${syncId}`, { headers });
    if (data.state === 'succeeded') return;
    if (!isPending(data.state)) throw client.fault(`${syncId} ended as ${data.state}.`);
  }
  throw client.fault(`${syncId} has no outcome after ${timeoutMs} ms.`);
}

export interface LoadContext {
  client: CheckingClient;
  apis: string[];
  customers: Customer[];
  /** A month that was billed. */
  period: string;
}

/** Runs integrations that read, HR systems that push, portal users, and daily runs, all concurrently. */
export async function putLoad(context: LoadContext, plan: LoadPlan, seed: number, signal: AbortSignal) {
  const { client, apis, customers, period } = context;
  const { readMs, pushMs, dayMs, visitMs } = plan.pauses;
  const done = { syncs: 0, days: 0, visits: 0 };
  let seeds = seed;
  const pace = (pauseMs: number): Pace => ({ random: createRandom(++seeds), pauseMs, signal });

  const read = (own = pace(readMs), { random } = own) =>
    repeat(own, () => {
      const { authorization } = random.pick(customers);
      return sendReadRequest({ client, random, api: random.pick(apis), authorization, period });
    });

  /** Pushes one roster per night. Half of them change something, some are previewed first, and some are sent twice. */
  const push = (customer: Customer, own = pace(pushMs), { random } = own) => {
    let [night, version] = [0, 0];
    return repeat(own, async () => {
      night += 1;
      if (random.chance(0.5)) version += 1;
      const send = (syncId: string, isPreview = false) =>
        pushRoster(client, random.pick(apis), customer, { syncId, version, isPreview });
      if (random.chance(0.2)) await send('preview', true);
      await send(`night-${night}`);
      if (random.chance(0.2)) await send(`night-${night}`);
      done.syncs += 1;
    });
  };

  const visit = (own = pace(visitMs), { random } = own) =>
    repeat(own, async () => {
      const { user, integrationId } = random.pick(customers);
      await visitPortal(new PortalClient(client, random.pick(apis), user), integrationId, period, random);
      done.visits += 1;
    });

  const travel = async (own = pace(dayMs), { random } = own) => {
    const traveller = new PortalClient(client, random.pick(apis), random.pick(customers).user);
    await traveller.signIn();
    await repeat(own, async () => {
      await traveller.travelTo((await traveller.today()).add({ days: 1 }));
      done.days += 1;
    });
  };

  const reading = Array.from({ length: plan.readers }, () => read());
  await Promise.all([...reading, ...customers.map((customer) => push(customer)), visit(), travel()]);
  return done;
}
