import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { examine } from '../../../src/operator/doctor/index.ts';
import { readSettings } from '../../../src/platform/config/config.ts';
import { createEncryption, nameSecretOf } from '../../../src/platform/crypto/encryption.ts';
import { encryptedColumns } from '../../../src/platform/crypto/rotate-secrets.ts';
import { runInProcess } from '../../support/cli.ts';
import { commandsIn } from '../../support/commands.ts';
import { useDatabase } from '../../support/database.ts';
import { makeCompany, makeIntegration } from '../../support/factories.ts';
import { type Env, withFolder } from '../../support/process.ts';

const [former, secret, later] = ['0123456789abcdef', 'fedcba9876543210', '89abcdef01234567'].map((text) =>
  text.repeat(3),
) as [string, string, string];

describe('secrets in the database', () => {
  const database = useDatabase();

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

  /** The findings of the check `secret` of doctor as `status: finding`. */
  const examineSecret = async (env: Env) => {
    const settings = readSettings({ DATABASE_URL: database.url, DEMO: 'off', PORTAL: 'off', ...env });
    const { findings } = await examine(settings);
    return findings.filter(({ check }) => check === 'secret').map(({ status, finding }) => `${status}: ${finding}`);
  };

  it('notice another SECRET at the start and in doctor, until it is rotated or given up', async () => {
    const company = await makeCompany(database.db);
    const create = (env: Env) => {
      const commands = commandsIn({ DATABASE_URL: database.url, ...env });
      const words = ['webhook-endpoint', 'create', '--company', String(company), '--url', 'https://example.com/'];
      return { succeed: () => commands.succeed(...words), fail: () => commands.fail(...words), rotate: commands };
    };
    await create({ SECRET: secret }).succeed();
    assert.deepEqual(await examineSecret({ SECRET: secret }), [
      'ok: SECRET is the one with which this database was used',
    ]);
    // Nothing is encrypted with the wrong one.
    const refusal = /^SECRET is not the one with which this database was used/;
    assert.match(await create({ SECRET: later }).fail(), refusal);
    await withFolder(async (DATA_DIR) => {
      const env = { DATABASE_URL: database.url, SECRET: later, DATA_DIR, DEMO: 'off', PORTAL: 'off', PORT: '0' };
      for (const word of ['serve', 'worker']) {
        const { code, stderr } = await runInProcess([word], { env });
        assert.equal(code, 1);
        assert.match(stderr, refusal);
      }
      assert.match((await examineSecret({ DATA_DIR }))[0] ?? '', /^warning: .* has no secret/);
    });
    assert.match((await examineSecret({ SECRET: later }))[0] ?? '', /^error: SECRET is not the one/);
    const changing = create({ SECRET: later, SECRET_PREVIOUS: secret });
    await changing.succeed();
    assert.match(
      (await examineSecret({ SECRET: later, SECRET_PREVIOUS: secret }))[0] ?? '',
      /^warning: .*SECRET_PREVIOUS/,
    );
    await changing.rotate.succeed('secrets', 'rotate');
    assert.match((await examineSecret({ SECRET: later }))[0] ?? '', /^ok/);
    // The secret of `later` is lost.
    const lost = create({ SECRET: former });
    assert.match(await lost.rotate.fail('secrets', 'rotate'), /SECRET has changed/);
    assert.equal((await lost.rotate.succeed('secrets', 'rotate', '--accept-loss')).lost, 3);
    await lost.succeed();
    assert.match(
      (await examineSecret({ SECRET: former })).join(),
      /ok: .*,warning: 2 secrets in webhook_endpoints cannot/,
    );
  });

  it('are looked at if a version before this check has stored them', async () => {
    await database.db.updateTable('environment').set({ secret_check: null }).execute();
    assert.match(
      await commandsIn({ DATABASE_URL: database.url, SECRET: secret }).fail(
        'webhook-endpoint',
        'create',
        '--company',
        '1',
        '--url',
        'https://example.com/',
      ),
      /is not the one/,
    );
  });
});
