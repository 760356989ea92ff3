import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createEncryption, nameSecretOf } from '../src/encryption.ts';
import { encryptedColumns } from '../src/rotate-secrets.ts';
import { commandsIn } from './support/commands.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { makeCompany, makeIntegration } from './support/factories.ts';

const [former, secret] = ['0123456789abcdef'.repeat(3), 'fedcba9876543210'.repeat(3)];

describe('secrets in the database', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('are rotated in every column whose name starts with encrypted_', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname like 'encrypted\\_%' order by 1, 2`.execute(
      database.db,
    );
    const listed = encryptedColumns.map(({ table, column }) => ({ table, column }));
    assert.deepEqual(
      rows,
      listed.toSorted((a, b) => `${a.table} ${a.column}`.localeCompare(`${b.table} ${b.column}`)),
    );
  });

  it('survive a change of SECRET', async () => {
    const company = await makeCompany(database.db);
    const integration = await makeIntegration(database.db, company);
    const context = nameSecretOf('hr_connectors', company, integration);
    const values = {
      company_id: company,
      hr_integration_id: integration,
      provider: 'personio',
      encrypted_credentials: createEncryption(former).encrypt('planted', context),
      mapping: '{}',
      nightly_time: '02:00',
    } as const;
    await database.db.insertInto('hr_connectors').values(values).execute();
    const env = { DATABASE_URL: database.url, SECRET: secret };
    assert.match(
      await commandsIn(env).fail('secrets', 'rotate'),
      /^The secret stored in hr_connectors\/\d+\/\d+ cannot be decrypted: SECRET has changed\. Set SECRET_PREVIOUS/,
    );
    const rotating = commandsIn({ ...env, SECRET_PREVIOUS: former });
    assert.equal((await rotating.succeed('secrets', 'rotate')).rotated, 1);
    assert.equal((await rotating.succeed('secrets', 'rotate')).rotated, 0);
    const { stored } = await database.db
      .selectFrom('hr_connectors')
      .select('encrypted_credentials as stored')
      .executeTakeFirstOrThrow();
    assert.equal(createEncryption(secret).decrypt(stored, context), 'planted');
  });
});
