import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { deleteEndpoint } from '../../../src/features/webhooks/delete-endpoint.ts';
import { listEndpoints } from '../../../src/features/webhooks/list-endpoints.ts';
import { rotateSecret } from '../../../src/features/webhooks/rotate-secret.ts';
import { createEndpoint, maxEndpoints, updateEndpoint } from '../../../src/features/webhooks/save-endpoint.ts';
import { disableEndpoint, disableWithin, enableEndpoint } from '../../../src/features/webhooks/set-state.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useDatabase } from '../../support/database.ts';
import { makeCompany } from '../../support/factories.ts';
import { rowOf } from '../../support/rows.ts';
import { companyContext, makeEndpoint, testEncryption } from '../../support/webhooks.ts';

const encryption = testEncryption;
const settings = { url: 'https://hooks.example.com/x?token=t0ken', eventTypes: [], description: 'Payroll' };

describe('webhook endpoints', () => {
  const database = useDatabase();
  let company: CompanyId;
  before(async () => {
    company = await makeCompany(database.db);
  });

  const contextOf = (companyId = company) => companyContext(database.db, companyId);
  const create = () => makeEndpoint(database.db, company, settings);
  const missing = { code: 'not-found' };
  const readRow = (endpointId: number) =>
    rowOf(database.db, 'webhook_endpoints', { company_id: company, id: endpointId });
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
    const shown = JSON.stringify(await listEndpoints(contextOf()));
    assert(!shown.includes('encrypted') && !shown.includes('enc1'));
  });

  it('keep the previous secret for a day when it is rotated', async () => {
    const key = await create();
    const rotated = await rotateSecret(contextOf(), { id: key.endpointId });
    const row = await readRow(key.endpointId);
    const context = `webhook_endpoints/${company}/${key.endpointId}`;
    assert.equal(encryption.decrypt(row.encrypted_secret, context), rotated.secret);
    assert.equal(encryption.decrypt(row.encrypted_previous_secret ?? '', context), key.secret);
    const hours = (Date.parse(row.previous_secret_until ?? '') - Date.now()) / 3_600_000;
    assert(hours > 23.9 && hours < 24.1);
  });

  it('are changed, disabled, enabled and deleted, each with an audit entry', async () => {
    const { endpointId: id, ...key } = await create();
    const change = { url: ' https://new.example.com/ ', eventTypes: ['sync-finished' as const], description: '' };
    const updated = await updateEndpoint(contextOf(), { id, ...change });
    assert.deepEqual([updated.url, updated.eventTypes], ['https://new.example.com/', ['sync-finished']]);
    const disabled = await disableEndpoint(contextOf(), { id });
    assert.deepEqual([disabled.state, disabled.disabledReason], ['disabled', 'manual']);
    await contextOf().write((tx) => disableWithin(tx, { ...key, endpointId: id }, 'gone', {}));
    assert.deepEqual(await disableEndpoint(contextOf(), { id }), disabled, 'it stays disabled for the first reason');
    const enabled = await enableEndpoint(contextOf(), { id });
    assert.equal(enabled.state, 'enabled');
    assert.deepEqual(await enableEndpoint(contextOf(), { id }), enabled);
    await deleteEndpoint(contextOf(), { id });
    await assert.rejects(deleteEndpoint(contextOf(), { id }), missing);
    assert.deepEqual(await actionsOf(id), [
      'webhook.create',
      'webhook.update',
      'webhook.disable',
      'webhook.enable',
      'webhook.delete',
    ]);
  });

  it('belong to one company', async () => {
    const { endpointId: id } = await create();
    const other = contextOf(await makeCompany(database.db));
    assert.deepEqual(await listEndpoints(other), []);
    for (const change of [deleteEndpoint, enableEndpoint, disableEndpoint, rotateSecret]) {
      await assert.rejects(change(other, { id }), missing);
    }
    await assert.rejects(updateEndpoint(other, { id, ...settings }), missing);
  });

  it('are limited in number, also if they are created at the same time', async () => {
    const context = contextOf(await makeCompany(database.db));
    const created = await Promise.allSettled(
      Array.from({ length: maxEndpoints + 5 }, () => createEndpoint(context, settings)),
    );
    assert.equal(created.filter(({ status }) => status === 'fulfilled').length, maxEndpoints);
    const refused = created.filter((one) => one.status === 'rejected');
    for (const { reason } of refused) assert.equal(reason.code, 'too-many-webhooks');
  });
});
