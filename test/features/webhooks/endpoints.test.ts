import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operator } from '../../../src/features/activity/record.ts';
import {
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  maxEndpoints,
  rotateEndpointSecret,
  updateEndpoint,
} from '../../../src/features/webhooks/endpoints.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { testClock } from '../../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeCompany } from '../../support/factories.ts';
import { testEncryption } from '../../support/webhooks.ts';

const encryption = testEncryption;
const settings = { url: 'https://hooks.example.com/x?token=t0ken', eventTypes: [], description: 'Payroll' };

describe('webhook endpoints', () => {
  let database: TestDatabase;
  let company: CompanyId;
  before(async () => {
    database = await createTestDatabase();
    company = await makeCompany(database.db);
  });
  after(() => database.drop());

  const insert = (companyId = company) =>
    writeCompany(database.db, companyId, (tx) => insertEndpoint(tx, encryption, { companyId, ...settings }));
  const create = async () => {
    const created = await insert();
    assert(created);
    return { companyId: company, endpointId: created.id, secret: created.secret };
  };
  const readRow = (endpointId: number) =>
    database.db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('company_id', '=', company)
      .where('id', '=', endpointId)
      .executeTakeFirstOrThrow();
  const actionsOf = async (endpointId: number) => {
    const entries = await database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('company_id', '=', company)
      .where('target', '=', String(endpointId))
      .where('action', 'like', 'webhook.%')
      .orderBy('id')
      .execute();
    assert(!JSON.stringify(entries).includes('t0ken'), 'the log does not contain the URL');
    return entries.map(({ action }) => action);
  };

  it('store their secret encrypted, and bound to their row', async () => {
    const { endpointId, secret } = await create();
    const row = await readRow(endpointId);
    assert(!JSON.stringify(row).includes(secret.slice(6)));
    assert.equal(encryption.decrypt(row.encrypted_secret, `webhook_endpoints/${company}/${endpointId}`), secret);
    const shown = JSON.stringify(await listEndpoints(database.db, company));
    assert(!shown.includes('encrypted') && !shown.includes('enc1'));
  });

  it('keep the previous secret for a day when it is rotated', async () => {
    const key = await create();
    const rotated = await writeCompany(database.db, company, (tx) => rotateEndpointSecret(tx, encryption, key));
    const row = await readRow(key.endpointId);
    const context = `webhook_endpoints/${company}/${key.endpointId}`;
    assert.equal(encryption.decrypt(row.encrypted_secret, context), rotated?.secret);
    assert.equal(encryption.decrypt(row.encrypted_previous_secret ?? '', context), key.secret);
    const hours = (Date.parse(row.previous_secret_until ?? '') - Date.now()) / 3_600_000;
    assert(hours > 23.9 && hours < 24.1);
  });

  it('are changed, disabled, enabled and deleted, each with an audit entry', async () => {
    const key = await create();
    const by = { actor: operator, at: testClock.now() };
    const change = { url: 'https://new.example.com/', eventTypes: ['sync-finished'] as const, description: '' };
    await writeCompany(database.db, company, async (tx) => {
      assert(await updateEndpoint(tx, key, change, by));
      assert(await disableEndpoint(tx, key, 'manual', by));
      assert(await disableEndpoint(tx, key, 'gone', by), 'it stays disabled for the first reason');
    });
    const disabled = await findEndpoint(database.db, key);
    assert.deepEqual(
      [disabled?.state, disabled?.disabled_reason, disabled?.url, disabled?.event_types],
      ['disabled', 'manual', 'https://new.example.com/', ['sync-finished']],
    );
    await writeCompany(database.db, company, async (tx) => {
      assert(await enableEndpoint(tx, key, by));
      assert(await enableEndpoint(tx, key, by));
    });
    assert.equal((await findEndpoint(database.db, key))?.state, 'enabled');
    await writeCompany(database.db, company, async (tx) => {
      assert(await deleteEndpoint(tx, key, by));
      assert(!(await deleteEndpoint(tx, key, by)));
    });
    assert.equal(await findEndpoint(database.db, key), undefined);
    assert.deepEqual(await actionsOf(key.endpointId), [
      'webhook.create',
      'webhook.update',
      'webhook.disable',
      'webhook.enable',
      'webhook.delete',
    ]);
  });

  it('belong to one company', async () => {
    const key = await create();
    const other = { ...key, companyId: await makeCompany(database.db) };
    assert.equal(await findEndpoint(database.db, other), undefined);
    await writeCompany(database.db, other.companyId, async (tx) => {
      assert(!(await deleteEndpoint(tx, other)));
      assert(!(await enableEndpoint(tx, other)));
      assert(!(await disableEndpoint(tx, other, 'manual')));
      assert.equal(await rotateEndpointSecret(tx, encryption, other), undefined);
    });
  });

  it('are limited in number, also if they are created at the same time', async () => {
    const companyId = await makeCompany(database.db);
    const created = await Promise.all(Array.from({ length: maxEndpoints + 5 }, () => insert(companyId)));
    assert.equal(created.filter((one) => one !== undefined).length, maxEndpoints);
  });
});
