import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { RosterEntry } from '../../../src/features/roster/rules/entry.ts';
import { type TestResponse, useApp } from '../../support/app.ts';
import { movableClock } from '../../support/clock.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { anEntry, assertKeptCounts, entries, makePusher, type Pusher } from '../../support/sync.ts';

/** Returns everything of a company that a sync may change. */
async function fingerprint({ app, companyId }: Pusher): Promise<unknown> {
  const { rows } = await sql`select
    (select json_agg(e order by e.id) from employees e where e.company_id = ${companyId}) as employees,
    (select json_agg(l order by l.id) from hr_links l where l.company_id = ${companyId}) as links,
    (select json_agg(i order by i.id) from hr_integrations i where i.company_id = ${companyId}) as integrations,
    (select json_agg(a order by a.id) from absences a where a.company_id = ${companyId}) as absences,
    (select json_agg(s.* order by s.id) from (select id, sync_id, state from syncs where company_id = ${companyId}) s)
      as syncs,
    (select count(*) from sync_records r where r.company_id = ${companyId}) as records,
    (select count(*) from audit_log a where a.company_id = ${companyId}) as audited`.execute(app.db);
  return rows;
}

/** Returns a record without the id of a new employee, which a preview does not have yet. */
const comparable = (record: TestResponse['body']) => ({
  ...record,
  // A dry run has no address.
  _links: undefined,
  employeeId: record.outcome === 'created' ? 'new' : record.employeeId,
});

type Step =
  | { kind: 'grow'; count: number }
  | { kind: 'shrink' | 'rename' | 'renumber' | 'swap' | 'absent' | 'subscribe' | 'return'; at: number; other: number }
  | { kind: 'repeat' };

const at = fc.nat(30);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('grow' as const), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    kind: fc.constantFrom(
      'shrink' as const,
      'rename' as const,
      'renumber' as const,
      'swap' as const,
      'absent' as const,
      'subscribe' as const,
      'return' as const,
    ),
    at,
    other: at,
  }),
  fc.record({ kind: fc.constant('repeat' as const) }),
);

interface World {
  roster: RosterEntry[];
  gone: RosterEntry[];
  counter: number;
}

/** Applies a step on the side of the HR system, and returns the next roster. */
function follow({ roster, gone, counter }: World, change: Step): World {
  const replace = (index: number, fields: Partial<RosterEntry>) =>
    roster.map((entry, position) => (position === index ? { ...entry, ...fields } : entry));
  if (change.kind === 'repeat') return { roster, gone, counter };
  if (change.kind === 'grow') {
    const fresh = Array.from({ length: change.count }, (_, index) => anEntry(counter + index));
    return { roster: [...roster, ...fresh], gone, counter: counter + change.count };
  }
  const index = change.at % roster.length;
  const other = change.other % roster.length;
  const chosen = roster[index];
  assert(chosen);
  switch (change.kind) {
    case 'shrink':
      if (roster.length === 1) return { roster, gone, counter };
      return { roster: roster.filter((entry) => entry !== chosen), gone: [...gone, chosen], counter };
    case 'return': {
      const back = gone[change.other % Math.max(1, gone.length)];
      const isFree = back && !roster.some((entry) => entry.hrId === back.hrId || entry.email === back.email);
      if (!isFree) return { roster, gone, counter };
      return { roster: [...roster, back], gone: gone.filter((entry) => entry !== back), counter };
    }
    case 'rename':
      return { roster: replace(index, { firstName: `Name${change.other}`, dateOfBirth: '1980-05-05' }), gone, counter };
    case 'renumber':
      return { roster: replace(index, { hrId: `N${counter}` }), gone, counter: counter + 1 };
    case 'swap':
      return {
        roster: roster.map((entry, position) =>
          position === index
            ? { ...entry, email: roster[other]?.email ?? '' }
            : position === other
              ? { ...entry, email: chosen.email }
              : entry,
        ),
        gone,
        counter,
      };
    case 'absent':
      return {
        roster: replace(index, {
          absences: [
            { startDate: '2026-12-01', endDate: `2027-0${(change.other % 8) + 1}-28`, approved: change.other % 3 > 0 },
          ],
        }),
        gone,
        counter,
      };
    case 'subscribe':
      return {
        roster: replace(index, {
          autoSyncEmployee: change.other % 3 > 0,
          terminationDate: change.other % 4 === 0 ? '2027-02-15' : null,
        }),
        gone,
        counter,
      };
  }
}

/** Returns the values in a fixed order that differs from that of the roster. */
const shuffle = <T>(values: T[]): T[] =>
  values
    .map((value, index) => ({ value, key: (index * 7919) % 31 }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);

const visible = (employees: TestResponse['body'][]) =>
  employees
    .map((one) => `${one.hrIntergartionLinks[0].hrId} ${one.firstName} ${one.lastName} ${one.email} ${one.dateOfBirth}`)
    .toSorted();
const expected = (roster: RosterEntry[]) =>
  roster
    .map((one) => `${one.hrId} ${one.firstName} ${one.lastName} ${one.email} ${one.dateOfBirth ?? null}`)
    .toSorted();
const subscriptions = (employees: TestResponse['body'][]) =>
  employees
    .map(({ email, subscription, plan }) => ({ email, subscription, plan }))
    .toSorted((a, b) => (a.email < b.email ? -1 : 1));

describe('a dry run', () => {
  const app = useApp({ worker: 'without documents' });

  it('returns exactly what the sync then does, and changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        async (rounds) => {
          const pusher = await makePusher(app);
          const mirror = await makePusher(app);
          let world: World = { roster: entries(4), gone: [], counter: 5 };
          await pusher.sync('first', world.roster);
          await mirror.sync('first', shuffle(world.roster));
          for (const [number, steps] of rounds.entries()) {
            world = steps.reduce(follow, world);
            const before = await fingerprint(pusher);
            const preview = await pusher.preview(world.roster);
            assert.deepEqual(await fingerprint(pusher), before);
            const sync = await pusher.sync(`s${number}`, world.roster);
            assert.deepEqual([preview.state, preview.counts, preview.entries], [sync.state, sync.counts, sync.entries]);
            const records = await pusher.records(`s${number}`);
            assert.deepEqual(preview.records.map(comparable), records.map(comparable));
            for (const record of preview.records) {
              if (record.outcome === 'created') assert.equal(record.employeeId, null);
            }
            const employees = await pusher.employees();
            assert.deepEqual(visible(employees), expected(world.roster));
            await assertKeptCounts(pusher);
            await mirror.sync(`s${number}`, shuffle(world.roster));
            const mirrored = await mirror.employees();
            assert.deepEqual(visible(mirrored), visible(employees));
            assert.deepEqual(subscriptions(mirrored), subscriptions(employees));
          }
          const again = await pusher.sync('again', shuffle(world.roster));
          assert.deepEqual(again.counts, {
            created: 0,
            updated: 0,
            unchanged: world.roster.length,
            offboarded: 0,
            held: 0,
            failed: 0,
          });
          assert.deepEqual((await pusher.preview(world.roster)).records, []);
        },
      ),
      { numRuns: runsOf(40) },
    );
  });

  it('returns what the sync does while tickets are running; a second sync does nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 3 }),
        fc.integer({ min: 1, max: 5 }),
        async (rounds, running) => {
          const pusher = await makePusher(app);
          let world: World = { roster: entries(5, { autoSyncEmployee: true }), gone: [], counter: 6 };
          await pusher.sync('first', world.roster);
          const emails = entries(running).map(({ email }) => email);
          await sql`update employees set subscription_status = 'active', start_on = '2026-10-01',
            next_ticket_on = '2026-12-01' where company_id = ${pusher.companyId} and email = any(${emails})`.execute(
            app.db,
          );
          for (const [number, steps] of rounds.entries()) {
            world = steps.reduce(follow, world);
            const before = await fingerprint(pusher);
            const preview = await pusher.preview(world.roster);
            assert.deepEqual(await fingerprint(pusher), before);
            const sync = await pusher.sync(`s${number}`, world.roster);
            assert.deepEqual([preview.state, preview.counts], [sync.state, sync.counts]);
            const records = await pusher.records(`s${number}`);
            assert.deepEqual(preview.records.map(comparable), records.map(comparable));
            const again = await pusher.sync(`again${number}`, shuffle(world.roster));
            const { failed, unchanged } = again.counts;
            assert.deepEqual(again.counts, { created: 0, updated: 0, unchanged, offboarded: 0, held: 0, failed });
            assert.equal(failed, sync.counts.failed);
            const seen = (await pusher.employees()).map(({ email }) => email);
            const taken = new Set(records.filter(({ outcome }) => outcome === 'failed').map(({ hrId }) => hrId));
            for (const { hrId, email } of world.roster) if (!taken.has(hrId)) assert(seen.includes(email));
            const { rows } = await sql<{ leaving: number; present: number }>`
              select count(*) filter (where is_leaving) as leaving, count(*) filter (where not is_leaving) as present
              from employees where company_id = ${pusher.companyId} and removed_at is null`.execute(app.db);
            assert.equal(seen.length, (rows[0]?.leaving ?? 0) + (rows[0]?.present ?? 0));
            const { rows: odd } = await sql`select id from employees where company_id = ${pusher.companyId}
              and email_key <> lower(email)`.execute(app.db);
            assert.deepEqual(odd, []);
          }
        },
      ),
      { numRuns: runsOf(25) },
    );
  });

  it('includes pending removals and failures', async () => {
    const pusher = await makePusher(app);
    await sql`update companies set guard_minimum_linked = 4 where id = ${pusher.companyId}`.execute(app.db);
    await pusher.sync('one', entries(5));
    const roster = [anEntry(1), anEntry(2, { email: 'anna4@example.com' }), anEntry(6)];
    const before = await fingerprint(pusher);
    const preview = await pusher.preview(roster);
    assert.deepEqual(await fingerprint(pusher), before);
    assert.deepEqual(preview.counts, { created: 1, updated: 0, unchanged: 1, offboarded: 0, held: 3, failed: 1 });
    assert.equal(preview.state, 'partially-failed');
    const sync = await pusher.sync('two', roster);
    assert.deepEqual(sync.counts, preview.counts);
    assert.deepEqual((await pusher.records('two')).map(comparable), preview.records.map(comparable));
  });

  it('leaves its syncId unused', async () => {
    const pusher = await makePusher(app);
    assert.equal((await pusher.push('one', entries(2), '?dryRun=true')).status, 200);
    assert.equal((await pusher.get(`/hr-integrations/${pusher.integrationId}/syncs/one`)).status, 404);
    assert.equal((await pusher.sync('one', entries(3))).counts.created, 3);
    assert.equal((await pusher.push('two', entries(1), '?dryRun=false')).status, 204);
    await pusher.finished('two');
  });

  it('is complete for a large roster', async () => {
    const pusher = await makePusher(app);
    const preview = await pusher.preview(entries(1_500));
    assert.deepEqual([preview.counts.created, preview.records.length], [1_500, 1_500]);
    assert.equal((await pusher.get('/employees')).body.data.total, 0);
  });
});

describe('a dry run on a day that the daily run has not processed yet', () => {
  const clock = movableClock('2026-11-15');
  const app = useApp({ worker: 'without documents', clock });

  const processedThrough = async ({ companyId }: Pusher) =>
    (await sql<{ day: string }>`select processed_through as day from companies where id = ${companyId}`.execute(app.db))
      .rows[0]?.day;

  /** Previews a roster and pushes it. Throws unless both results are equal and the preview has changed nothing. */
  async function previewAndPush(pusher: Pusher, syncId: string, roster: RosterEntry[]) {
    const before = await fingerprint(pusher);
    const preview = await pusher.preview(roster);
    assert.deepEqual(await fingerprint(pusher), before);
    const sync = await pusher.sync(syncId, roster);
    assert.deepEqual([preview.state, preview.counts], [sync.state, sync.counts]);
    const records = await pusher.records(syncId);
    // The charges of missed months do not exist yet, so a dry run cannot name those that came too late.
    const withoutCharges = (record: TestResponse['body']) => ({
      ...comparable(record),
      reasons: record.reasons.filter(({ rule }: { rule: string }) => !rule.startsWith('late-')),
    });
    assert.deepEqual(preview.records.map(withoutCharges), records.map(withoutCharges));
    return preview;
  }

  it('takes into account that a ticket ended at midnight', async () => {
    clock.moveTo('2026-11-05');
    const pusher = await makePusher(app);
    await sql`update companies set processed_through = '2026-11-05' where id = ${pusher.companyId}`.execute(app.db);
    await pusher.sync('one', entries(3, { autoSyncEmployee: true }));
    clock.moveTo('2026-12-02');
    const leaving = [anEntry(1, { autoSyncEmployee: true, terminationDate: '2026-12-20' }), ...entries(3).slice(1)];
    await pusher.sync('two', leaving);
    clock.moveTo('2027-01-01', '00:10');
    assert.equal(await processedThrough(pusher), '2026-12-02');
    const preview = await previewAndPush(pusher, 'three', entries(3).slice(1));
    assert.deepEqual(
      preview.records.map(({ hrId, code }: { hrId: string; code: string }) => `${hrId} ${code}`),
      ['E1 removed'],
    );
  });

  it('returns what the sync does, however many days were missed', async () => {
    const round = fc.record({
      steps: fc.array(step, { minLength: 1, maxLength: 4 }),
      days: fc.constantFrom(1, 16, 31, 62),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 4 }), async (rounds) => {
        let today = Temporal.PlainDate.from('2026-11-05');
        clock.moveTo(today.toString());
        const pusher = await makePusher(app);
        await sql`update companies set processed_through = ${today.toString()}::date, retention_days = 20
          where id = ${pusher.companyId}`.execute(app.db);
        let world: World = { roster: entries(5, { autoSyncEmployee: true }), gone: [], counter: 6 };
        await pusher.sync('first', world.roster);
        for (const [number, { steps, days }] of rounds.entries()) {
          world = steps.reduce(follow, world);
          today = today.add({ days });
          clock.moveTo(today.toString(), '00:10');
          await previewAndPush(pusher, `s${number}`, world.roster);
        }
      }),
      { numRuns: runsOf(15) },
    );
  });
});
