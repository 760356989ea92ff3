import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import {
  describeDistribution,
  distributeAllTables,
  distributeEmptyTables,
} from '../../../src/platform/db/citus/distribute.ts';
import { changeSequentially } from '../../../src/platform/db/citus/sequential.ts';
import { planTables } from '../../../src/platform/db/citus/tables.ts';
import { connectDatabase, type Db, executeScript } from '../../../src/platform/db/database.ts';
import { migrate } from '../../../src/platform/db/migrate.ts';
import { splitScript } from '../../../src/platform/db/split-script.ts';
import { runInProcess } from '../../support/cli.ts';
import { isCluster, skipOnCluster } from '../../support/cluster.ts';
import { createUndistributedDatabase, useDatabase } from '../../support/database.ts';
import { prepare, useResource } from '../../support/prepare.ts';

describe('without a cluster', skipOnCluster('there is one'), () => {
  const database = useDatabase();

  it('migrating leaves the tables as they are', async () => {
    await distributeEmptyTables(database.db);
    assert.equal(await describeDistribution(database.db), undefined);
  });

  it('the command says what is missing', async () => {
    const env = { DATABASE_URL: database.ownerUrl, ENVIRONMENT: 'staging' };
    const { code, stderr } = await runInProcess(['distribute'], { env });
    assert.equal(code, 1);
    assert.match(stderr, /without Citus nodes\. Create the extension there and add the nodes first/);
  });

  it('the command refuses the embedded database', async () => {
    const { code, stderr } = await runInProcess(['distribute'], { env: { ENVIRONMENT: 'staging' } });
    assert.equal(code, 1);
    assert.match(stderr, /embedded database cannot be distributed/);
  });
});

const noCluster = 'TEST_DATABASE_URL names no Citus cluster';

async function insertCompany(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into companies (name, processed_through) values ('Example', '2026-11-15') returning id`.execute(db);
  const id = rows[0]?.id ?? 0;
  await sql`insert into hr_integrations (company_id, name, type, status, initial_connection_status)
    values (${id}, 'Roster', 'api-integration', 'active', 'completed')`.execute(db);
  return id;
}

describe('on a Citus cluster', { skip: !isCluster() && noCluster }, () => {
  const database = useDatabase();
  const owner = useResource(() =>
    connectDatabase({ url: database.ownerUrl, max: 3, applicationName: 'test', streaming: true }),
  );

  it('every table of a company is distributed together with its company', async () => {
    const { rows } = await sql<{ table: string; column: string; together: boolean }>`
      select table_name::text as table, distribution_column as column, colocation_id = (
        select colocation_id from citus_tables where table_name = 'companies'::regclass) as together
      from citus_tables where citus_table_type = 'distributed' order by 1`.execute(database.db);
    const planned = (await planTables(database.db)).filter(({ placement }) => placement === 'distributed');
    assert(planned.length > 20);
    assert.deepEqual(
      rows,
      planned
        .map(({ name, column }) => ({ table: name, column, together: true }))
        .toSorted((a, b) => (a.table < b.table ? -1 : 1)),
    );
  });

  it('accounts and the environment are local tables, prices and the queue plain ones', async () => {
    const { rows } = await sql<{ table: string }>`
      select table_name::text as table from citus_tables where citus_table_type = 'local' order by 1`.execute(
      database.db,
    );
    const local = rows.map(({ table }) => table);
    for (const table of ['environment', 'portal_accounts', 'portal_sessions', 'portal_users'])
      assert(local.includes(table), table);
    for (const table of ['ticket_prices', 'fee_prices', 'queue.job']) assert(!local.includes(table), table);
  });

  it('a repeated call changes nothing', async () => {
    const before = await describeDistribution(database.db);
    assert.deepEqual(before?.remaining, []);
    assert.deepEqual(await distributeAllTables(owner.db, () => {}), []);
    await distributeEmptyTables(owner.db);
    assert.deepEqual(await describeDistribution(database.db), before);
  });

  it('a later migration adds a table of companies, a column, a check and an index', async () => {
    await executeScript(
      owner.db,
      `create table notes (company_id bigint not null references companies, id bigint generated always as identity,
        hr_integration_id bigint, text text not null, primary key (company_id, id),
        foreign key (company_id, hr_integration_id) references hr_integrations (company_id, id));
      create table bulletins (id text primary key);`,
    );
    await owner.db.transaction().execute(async (tx) => {
      await changeSequentially(tx);
      const script = `alter table hr_integrations add column note text;
        alter table hr_integrations add constraint note_is_short check (length(note) < 9);
        create index hr_integrations_by_note on hr_integrations (company_id, note);`;
      for (const statement of await splitScript(script)) await executeScript(tx, statement);
    });
    assert.deepEqual((await describeDistribution(database.db))?.remaining, ['notes', 'bulletins']);
    await distributeEmptyTables(owner.db);
    assert.deepEqual((await describeDistribution(database.db))?.remaining, []);
    const id = await insertCompany(database.db);
    await sql`insert into notes (company_id, text) values (${id}, 'hello')`.execute(database.db);
  });
});

describe('A filled database on a Citus cluster', { skip: !isCluster() && noCluster }, () => {
  const database = prepare(createUndistributedDatabase, (made) => made.drop());
  const owner = useResource(() =>
    connectDatabase({ url: database.ownerUrl, max: 3, applicationName: 'test', streaming: true }),
  );

  it('is distributed by the command, also after an interruption', async () => {
    await migrate(owner.db);
    const id = await insertCompany(database.db);
    await distributeEmptyTables(owner.db);
    assert.equal((await describeDistribution(database.db))?.remaining.includes('companies'), true);
    const interrupted = distributeAllTables(owner.db, ({ position }) => {
      if (position === 4) throw new Error('Interrupted.');
    });
    await assert.rejects(interrupted, /Interrupted/);
    await assert.rejects(distributeEmptyTables(owner.db), /are not distributed yet.*run the command `distribute`/);
    const env = { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl, ENVIRONMENT: 'staging' };
    const { code, stdout, stderr } = await runInProcess(['distribute'], { env });
    assert.equal(code, 0, stderr);
    assert(JSON.parse(stdout).distributed.length > 15);
    assert.match(stderr, /^1\/\d+ \w+\n2\/\d+ /m);
    const { rows } = await sql<{ name: string }>`
      select i.name from hr_integrations i join companies c on c.id = i.company_id where c.id = ${id}`.execute(
      database.db,
    );
    assert.deepEqual(rows, [{ name: 'Roster' }]);
    const leftBehind = await sql<{ bytes: number }>`
      select coalesce(sum(pg_relation_size(logicalrelid)), 0) as bytes from pg_dist_partition`.execute(database.db);
    assert.equal(Number(leftBehind.rows[0]?.bytes), 0);
  });
});
