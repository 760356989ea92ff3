import { setTimeout as sleep } from 'node:timers/promises';
import type { RosterEntry } from '../../src/domain/roster/entry.ts';
import { type CheckingClient, type Pace, repeat } from '../support/checking-client.ts';
import { isPending } from '../support/roster-pusher.ts';
import type { TestCompany } from '../support/test-company.ts';

/** A company whose HR system pushes a roster of this size every night. */
export interface Customer extends TestCompany {
  size: number;
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

const timeoutMs = 300_000;

interface Roster {
  syncId: string;
  version: number;
  isPreview?: boolean;
}

function send(client: CheckingClient, api: string, customer: Customer, { syncId, version, isPreview }: Roster) {
  const { authorization, integrationId, size } = customer;
  const body = { syncId, employees: rosterOf(size, version) };
  const status = isPreview ? 200 : 204;
  const url = `${api}/hr-integrations/${integrationId}/sync${isPreview ? '?dryRun=true' : ''}`;
  return client.request(url, { method: 'POST', headers: { authorization }, body, status });
}

/** Pushes a version of the roster and waits until it is applied. Any result but success is a fault. */
export async function pushRoster(
  client: CheckingClient,
  api: string,
  customer: Customer,
  roster: Roster,
): Promise<void> {
  const { syncId } = roster;
  await send(client, api, customer, roster);
  const { authorization, integrationId } = customer;
  const url = `${api}/hr-integrations/${integrationId}/syncs/${syncId}`;
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await sleep(100)) {
    const { data } = await client.json<{ data: { state: string } }>(url, { headers: { authorization } });
    if (data.state === 'succeeded') return;
    if (!isPending(data.state)) throw client.fault(`${syncId} ended as ${data.state}.`);
  }
  throw client.fault(`${syncId} has no outcome after ${timeoutMs} ms.`);
}

/** Pushes one roster per night. Half of them change something, some are previewed first, and some are sent twice. */
export async function pushNightly(
  client: CheckingClient,
  apis: string[],
  customer: Customer,
  pace: Pace,
): Promise<number> {
  const { random } = pace;
  let [night, version, applied] = [0, 0, 0];
  await repeat(pace, async () => {
    night += 1;
    if (random.chance(0.5)) version += 1;
    const roster = { syncId: `night-${night}`, version };
    if (random.chance(0.2)) {
      await send(client, random.pick(apis), customer, { syncId: 'preview', version, isPreview: true });
    }
    await pushRoster(client, random.pick(apis), customer, roster);
    if (random.chance(0.2)) await pushRoster(client, random.pick(apis), customer, roster);
    applied += 1;
  });
  return applied;
}
