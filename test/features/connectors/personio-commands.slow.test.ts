import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { commandsIn } from '../../support/commands.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeCompany } from '../../support/factories.ts';
import { aPerson, type FakePersonio, startFakeWith } from '../../support/fake-hr/personio.ts';
import { pluck } from '../../support/pluck.ts';

describe('the commands that connect Personio', () => {
  let database: TestDatabase;
  let fake: FakePersonio;
  let folder: string;
  let company: string;
  let id: string;
  let commands: ReturnType<typeof commandsIn>;

  before(async () => {
    database = await createTestDatabase();
    fake = await startFakeWith(5);
    folder = await mkdtemp(join(tmpdir(), 'transit-connect-'));
    commands = commandsIn({ DATABASE_URL: database.url, DATA_DIR: folder, PERSONIO_URL: fake.origin });
    company = String(await makeCompany(database.db));
    const created = await commands.succeed(
      'integration',
      'create',
      '--company',
      company,
      '--name',
      'P',
      '--type',
      'hr-integration',
    );
    id = String(created.id);
  });
  after(async () => {
    await fake.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (command: string, ...words: string[]) =>
    commands.succeed('integration', command, id, '--company', company, ...words);
  async function connect(content: unknown, ...words: string[]) {
    const file = join(folder, 'credentials.json');
    await writeFile(file, JSON.stringify(content));
    return ['connect', '--provider', 'personio', '--credentials', file, ...words] as const;
  }
  const right = { clientId: 'papi-client', clientSecret: 'papi-secret' };
  const statusOf = () =>
    database.db
      .selectFrom('hr_integrations')
      .select(['status', 'initial_connection_status as onboarding', 'last_sync_status as sync'])
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow();

  it('name what is wrong, and quote no secret', async () => {
    const fail = (...words: string[]) =>
      commands.fail('integration', words[0] ?? '', id, '--company', company, ...words.slice(1));
    assert.match(await fail('sync'), /^Integration \d+ is not connected: run "integration connect"/);
    assert.match(
      await fail(...(await connect({ clientId: 'x', clientsecret: 'planted' }))),
      /"clientsecret" is unknown: Personio has clientId, clientSecret\. "clientSecret" is missing\./,
    );
    const mapping = join(folder, 'mapping.json');
    await writeFile(
      mapping,
      JSON.stringify({ fields: { emial: 'x' }, include: [{ attribute: 'status', is: 'maybe' }] }),
    );
    const line = await fail(...(await connect(right, '--mapping', mapping)));
    assert.match(
      line,
      /fields\.emial is not known: use email; include\.0\.is must be one-of, none-of, present or empty/,
    );
  });

  it('report refused credentials, twice with an hour between them as invalid', async () => {
    await run(...(await connect({ ...right, clientSecret: 'planted-secret' })));
    assert.deepEqual(await statusOf(), { status: 'active', onboarding: 'final-sync-pending', sync: null });
    const { ok, problems } = await run('check');
    assert.deepEqual([ok, problems[0].code], [false, 'credentials-refused']);
    assert.equal((await run('sync')).status, 'authentication-failed');
    assert.equal((await run('sync')).status, 'authentication-failed');
    assert.equal((await statusOf()).status, 'active', 'two refusals within an hour');
    await database.db.updateTable('hr_connectors').set({ refused_at: '2020-01-01T00:00:00Z' }).execute();
    assert.equal((await run('sync')).status, 'authentication-failed');
    assert.deepEqual(await statusOf(), {
      status: 'invalid',
      onboarding: 'final-sync-pending',
      sync: 'authentication-failed',
    });
    const { next } = await database.db
      .selectFrom('hr_connectors')
      .select('next_pull_at as next')
      .executeTakeFirstOrThrow();
    assert.equal(next, null, 'the schedule has stopped');
  });

  it('connect again, show what a sync would do, and apply it', async () => {
    await run(...(await connect(right)));
    assert.deepEqual(await run('check'), { ok: true, problems: [] });
    const preview = await run('sync', '--dry-run');
    assert.equal(preview.counts.created, 5);
    assert.equal((await database.db.selectFrom('employees').select('id').execute()).length, 0);
    const outcome = await run('sync');
    assert.deepEqual([outcome.status, outcome.counts.created, outcome.people], ['succeeded', 5, 5]);
    assert.match(outcome.syncId, /^pull-\d{4}-\d\d-\d\dT/);
    assert.deepEqual(await statusOf(), { status: 'active', onboarding: 'completed', sync: 'succeeded' });
  });

  it('keep ids and say why somebody is terminated or gone', async () => {
    const ids = await database.db.selectFrom('employees').select('id').orderBy('id').execute();
    fake.account.people[0] = aPerson(1, { termination_date: '2026-12-31' });
    fake.account.people[1] = aPerson(2, { status: 'inactive' });
    const { syncId, counts } = await run('sync');
    assert.deepEqual([counts.updated, counts.offboarded, counts.unchanged], [1, 1, 3]);
    assert.deepEqual(await database.db.selectFrom('employees').select('id').orderBy('id').execute(), ids);
    const records = await database.db
      .selectFrom('sync_records as r')
      .innerJoin('syncs as s', (join) =>
        join.onRef('s.company_id', '=', 'r.company_id').onRef('s.id', '=', 'r.sync_key'),
      )
      .select(['r.hr_id', 'r.reasons', 's.pushed_by'])
      .where('s.sync_id', '=', syncId)
      .orderBy('r.hr_id')
      .execute();
    assert.deepEqual(
      records.map(({ hr_id, reasons, pushed_by }) => [
        hr_id,
        (reasons as { detail: string }[]).at(-1)?.detail,
        pushed_by,
      ]),
      [
        ['1', 'Terminated because `termination_date` = 2026-12-31.', 'connector personio'],
        ['2', 'Not included because `status` = inactive.', 'connector personio'],
      ],
    );
    const left = await database.db.selectFrom('pulls').select('id').where('explanations', 'is not', null).execute();
    assert.deepEqual(left, [], 'explanations are deleted with the outcome');
  });

  it('name withheld attributes and permissions in the terms of Personio', async () => {
    fake.account.withheld = ['termination_date', 'hire_date'];
    fake.account.canReadAbsences = false;
    const { ok, problems } = await run('check');
    assert.equal(ok, false);
    assert.deepEqual(pluck(problems, 'code', 'what'), [
      ['attribute-withheld', 'hire_date'],
      ['attribute-withheld', 'termination_date'],
      ['permission-missing', 'Absences: read'],
    ]);
    const { status, reason } = await run('sync');
    assert.equal(status, 'failed');
    assert.match(reason, /may not read absences/);
  });

  it('store neither credentials nor salaries', async () => {
    const tables = ['hr_connectors', 'pulls', 'audit_log', 'syncs', 'sync_records', 'events'] as const;
    for (const table of tables) {
      const rows = await database.db
        .selectFrom(table as 'pulls')
        .selectAll()
        .execute();
      assert.doesNotMatch(JSON.stringify(rows), /papi-secret|planted-secret|EUR 4711/, table);
    }
  });
});
