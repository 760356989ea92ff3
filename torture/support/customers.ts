import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { RosterEntry } from '../../src/domain/roster/entry.ts';
import { basic } from '../../test/support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../../test/support/factories.ts';
import { makeUser, type TestUser } from '../../test/support/portal.ts';
import { jsonOf, type Pace, repeat, type Tally } from './asking.ts';

/** A company with a key, a user with every permission, and an HR system that pushes its roster every night. */
export interface Customer {
  companyId: CompanyId;
  integrationId: number;
  authorization: string;
  person: TestUser;
  /** The number of employees in its rosters. */
  size: number;
}

export async function makeCustomer(db: Db, size: number): Promise<Customer> {
  const companyId = await makeCompany(db);
  await sql`update companies set created_at = now(), processed_through = current_date where id = ${companyId}`.execute(
    db,
  );
  const integrationId = await makeIntegration(db, companyId);
  const authorization = basic(await makeKey(db, companyId));
  return { companyId, integrationId, authorization, person: await makeUser({ db }, companyId), size };
}

/**
 * Returns a version of the roster. It differs from the previous version in one percent of the employees. Every second
 * version lacks the last few employees. One employee in ten has a subscription. The first hundred are in every version.
 */
export function rosterOf(size: number, version: number): RosterEntry[] {
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

const patienceMs = 300_000;

const urlOf = ({ integrationId }: Customer, api: string) => `${api}/hr-integrations/${integrationId}`;

/** Pushes a version of the roster and waits until it is applied. Any result but success is a fault. */
export async function pushRoster(
  tally: Tally,
  api: string,
  customer: Customer,
  { syncId, version }: { syncId: string; version: number },
): Promise<void> {
  const headers = { authorization: customer.authorization };
  const body = { syncId, employees: rosterOf(customer.size, version) };
  await tally.ask(`${urlOf(customer, api)}/sync`, { method: 'POST', headers, body, status: 204 });
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const answer = await tally.ask(`${urlOf(customer, api)}/syncs/${syncId}`, { headers });
    const { state } = jsonOf<{ data: { state: string } }>(answer).data;
    if (state === 'succeeded') return;
    if (state !== 'accepted' && state !== 'processing') throw tally.fault(`${syncId} ended as ${state}.`);
    await sleep(100);
  }
  throw tally.fault(`${syncId} has no outcome after ${patienceMs} ms.`);
}

/** Requests a preview of a roster. The response is immediate and nothing changes. */
async function previewRoster(tally: Tally, api: string, customer: Customer, version: number): Promise<void> {
  const headers = { authorization: customer.authorization };
  const body = { syncId: 'preview', employees: rosterOf(customer.size, version) };
  await tally.ask(`${urlOf(customer, api)}/sync?dryRun=true`, { method: 'POST', headers, body });
}

/** Pushes one roster per night. Half of them change something, some are previewed first, and some are sent twice. */
export async function pushNightly(tally: Tally, apis: string[], customer: Customer, pace: Pace): Promise<number> {
  const { random } = pace;
  let [night, version, applied] = [0, 0, 0];
  await repeat(pace, async () => {
    night += 1;
    if (random.chance(0.5)) version += 1;
    const roster = { syncId: `night-${night}`, version };
    if (random.chance(0.2)) await previewRoster(tally, random.pick(apis), customer, version);
    await pushRoster(tally, random.pick(apis), customer, roster);
    if (random.chance(0.2)) await pushRoster(tally, random.pick(apis), customer, roster);
    applied += 1;
  });
  return applied;
}
