import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { Random } from '../../src/demo/random.ts';
import type { RosterEntry } from '../../src/domain/roster/entry.ts';
import { basic } from '../../test/support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../../test/support/factories.ts';
import { jsonOf, type Tally } from './asking.ts';
import { type ModelCounts, RosterModel, RosterStream } from './roster-model.ts';
import type { PushedCompany } from './verify.ts';

interface Push {
  syncId: string;
  employees: RosterEntry[];
}

/** A company whose HR system records its pushes, so that it can repeat those that the service has lost. */
export interface RecordingCompany {
  companyId: CompanyId;
  integrationId: number;
  authorization: string;
  stream: RosterStream;
  pushes: Push[];
}

export async function makeRecordingCompany(db: Db, random: Random): Promise<RecordingCompany> {
  const companyId = await makeCompany(db);
  const integrationId = await makeIntegration(db, companyId);
  const authorization = basic(await makeKey(db, companyId));
  // These rosters shrink on purpose.
  await sql`update companies set guard_maximum_absent_percent = 100 where id = ${companyId}`.execute(db);
  return { companyId, integrationId, authorization, stream: new RosterStream(random), pushes: [] };
}

const patienceMs = 300_000;

const addressOf = ({ integrationId }: RecordingCompany, api: string) => `${api}/hr-integrations/${integrationId}`;

export async function push(tally: Tally, api: string, company: RecordingCompany, pushed: Push): Promise<void> {
  const headers = { authorization: company.authorization };
  await tally.ask(`${addressOf(company, api)}/sync`, { method: 'POST', headers, body: pushed, status: 204 });
}

/** Pushes the next roster. Records it before sending, because a dump may contain it before the response has arrived. */
export async function pushNext(tally: Tally, api: string, company: RecordingCompany, size: number): Promise<void> {
  const next = { syncId: `sync-${company.pushes.length + 1}`, employees: company.stream.next(size) };
  company.pushes.push(next);
  await push(tally, api, company, next);
}

export async function untilApplied(tally: Tally, api: string, company: RecordingCompany, syncId: string) {
  const headers = { authorization: company.authorization };
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const answer = await tally.ask(`${addressOf(company, api)}/syncs/${syncId}`, { headers });
    const { state } = jsonOf<{ data: { state: string } }>(answer).data;
    if (state !== 'accepted' && state !== 'processing') return;
    await sleep(50);
  }
  throw tally.fault(`${syncId} has no outcome after ${patienceMs} ms.`);
}

export async function listSyncIds(db: Db, { companyId }: RecordingCompany): Promise<string[]> {
  const { rows } = await sql<{ sync_id: string }>`
    select s.sync_id from syncs s where ${ofCompany(companyId, 's')} order by s.id`.execute(db);
  return rows.map((row) => row.sync_id);
}

/** Returns the expected state of the company after the first `count` of its rosters. */
export function expectAfter({ companyId, integrationId, pushes }: RecordingCompany, count: number): PushedCompany {
  const model = new RosterModel();
  const expected = new Map<string, ModelCounts>();
  for (const { syncId, employees } of pushes.slice(0, count)) expected.set(syncId, model.apply(syncId, employees));
  return { companyId, integrationId, model, expected };
}
