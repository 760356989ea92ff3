import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { deleteEndpoint } from '../../../src/features/webhooks/delete-endpoint.ts';
import { expireLog } from '../../../src/features/webhooks/expire.ts';
import { listEndpoints } from '../../../src/features/webhooks/list-endpoints.ts';
import { rotateSecret } from '../../../src/features/webhooks/rotate-secret.ts';
import { createEndpoint, maxEndpoints, updateEndpoint } from '../../../src/features/webhooks/save-endpoint.ts';
import { redeliverEvent, replayEvents, sendTestEvent } from '../../../src/features/webhooks/send-events.ts';
import { disableEndpoint, disableWithin, enableEndpoint } from '../../../src/features/webhooks/set-state.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useDatabase } from '../../support/database.ts';
import { makeCompany } from '../../support/factories.ts';
import { actionsOf, createProcessedCompany, withOperatorCli } from '../../support/operator-cli.ts';
import { pluck } from '../../support/pluck.ts';
import { rowOf, updateRows } from '../../support/rows.ts';
import { addEvents, companyContext, makeEndpoint, readDeliveries, testEncryption } from '../../support/webhooks.ts';

const database = useDatabase();
const encryption = testEncryption;
const settings = { url: 'https://hooks.example.com/x?token=t0ken', eventTypes: [], description: 'Payroll' };

describe('webhook endpoints', () => {
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

describe('deliveries on request', () => {
  it('replay a range of the events that the endpoint wants', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    await addEvents(db, companyId, 10);
    const all = await makeEndpoint(db, companyId);
    const some = await makeEndpoint(db, companyId, { eventTypes: ['sync-finished'] });
    const context = companyContext(db, companyId);
    const replay = async ({ endpointId: id }: { endpointId: number }, from: number, to?: number) =>
      (await replayEvents(context, { id, from, to })).events;
    assert.equal(await replay(all, 3, 5), 3);
    assert.equal(await replay(all, 5), 6);
    assert.equal(await replay(some, 1, 10), 0);
    await assert.rejects(replay({ endpointId: 0 }, 1, 10), { code: 'not-found' });
    await assert.rejects(replay(all, 5, 4), { code: 'invalid-body' });
    const sequences = (await readDeliveries(db, all)).map(({ sequence }) => sequence);
    assert.deepEqual(sequences, [3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('redeliver one event that was delivered', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    await addEvents(db, companyId, 2);
    const key = await makeEndpoint(db, companyId);
    const redeliver = (sequence: number) =>
      redeliverEvent(companyContext(db, companyId), { id: key.endpointId, sequence });
    await redeliver(2);
    await updateRows(
      db,
      'webhook_deliveries',
      { company_id: companyId },
      { state: 'succeeded', next_attempt_at: null, attempts: 4, failures: 3 },
    );
    await redeliver(2);
    await assert.rejects(redeliver(3), { code: 'not-found' }, 'there is no such event');
    const [delivery] = await readDeliveries(db, key);
    assert.deepEqual([delivery?.state, delivery?.attempts, delivery?.failures], ['pending', 4, 0]);
  });

  it('are deleted with their log after thirty days', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    await addEvents(db, companyId, 2);
    const key = await makeEndpoint(db, companyId);
    await replayEvents(companyContext(db, companyId), { id: key.endpointId, from: 1, to: 2 });
    const [old, recent] = [31, 29].map((days) =>
      Temporal.Now.instant()
        .subtract({ hours: days * 24 })
        .toString(),
    );
    for (const [sequence, at] of [old, recent].entries()) {
      await sql`update webhook_deliveries set created_at = ${at}, finished_at = ${at}, state = 'succeeded',
        next_attempt_at = null where company_id = ${companyId} and sequence = ${sequence + 1}`.execute(db);
      await sql`insert into webhook_attempts (company_id, endpoint_id, sequence, attempt, event_id, event_type,
          attempted_at, status, duration_ms)
        select company_id, endpoint_id, sequence, 1, event_id, event_type, ${at}, 200, 5 from webhook_deliveries
        where company_id = ${companyId} and sequence = ${sequence + 1}`.execute(db);
    }
    assert.equal(await expireLog(db, new AbortController().signal), 1);
    const left = (rows: { sequence: number }[]) => rows.map(({ sequence }) => sequence);
    assert.deepEqual(left(await readDeliveries(db, key)), [2]);
    const attempts = db.selectFrom('webhook_attempts').select('sequence').where('company_id', '=', companyId);
    assert.deepEqual(left(await attempts.execute()), [2]);
  });

  it('send a test event to one endpoint only', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    await addEvents(db, companyId, 2);
    const [key, other] = [await makeEndpoint(db, companyId), await makeEndpoint(db, companyId)];
    const sent = await sendTestEvent(companyContext(db, companyId), { id: key.endpointId });
    const [delivery] = await readDeliveries(db, key);
    assert.deepEqual(sent, { eventId: delivery?.event_id, sequence: 3 });
    assert.equal(delivery?.event_type, 'webhook-test');
    await replayEvents(companyContext(db, companyId), { id: other.endpointId, from: 1, to: 10 });
    assert.deepEqual(pluck(await readDeliveries(db, other), 'sequence'), [1, 2]);
  });
});

const url = 'https://hooks.example.com/events';

describe('webhook commands', () => {
  it('create, list, change, test, replay and delete a webhook', () =>
    withOperatorCli(async ({ db, succeed }) => {
      const company = await createProcessedCompany(db);
      const create = `webhook-endpoint create --company ${company} --url ${url} --types sync-finished,employee-created --description`;
      const { id, secret, ...rest } = await succeed(create, 'HR sync');
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.deepEqual(rest, {});
      const of = `${id} --company ${company}`;
      const [listed, ...others] = await succeed(`webhook-endpoint list --company ${company}`);
      assert.deepEqual(others, []);
      assert.deepEqual(
        { ...listed, createdAt: '' },
        {
          id,
          url,
          eventTypes: ['employee-created', 'sync-finished'],
          description: 'HR sync',
          state: 'enabled',
          disabledReason: null,
          disabledAt: null,
          failingSince: null,
          previousSecretUntil: null,
          createdAt: '',
        },
      );
      const test = await succeed(`webhook-endpoint test ${of}`);
      assert.match(test.eventId, /^evt_/);
      assert.equal(test.sequence, 1);
      const rotated = await succeed(`webhook-endpoint rotate ${of}`);
      assert.notEqual(rotated.secret, secret);
      assert.deepEqual(Object.keys(rotated), ['id', 'secret', 'previousUntil']);
      const disabled = await succeed(`webhook-endpoint disable ${of}`);
      assert.deepEqual([disabled.state, disabled.disabledReason], ['disabled', 'manual']);
      assert.equal((await succeed(`webhook-endpoint enable ${of}`)).state, 'enabled');
      await addEvents(db, company, 5);
      assert.deepEqual(await succeed(`webhook-endpoint replay ${of} --from 3 --to 4`), { id, events: 2 });
      assert.deepEqual(await succeed(`webhook-endpoint replay ${of} --from 3`), { id, events: 4 });
      assert.deepEqual(await succeed(`webhook-endpoint delete ${of}`), { id, deleted: true });
      assert.deepEqual(await succeed(`webhook-endpoint list --company ${company}`), []);
      assert.deepEqual(
        await actionsOf(db, company),
        ['create', 'test', 'rotate', 'disable', 'enable', 'replay', 'replay', 'delete'].map(
          (action) => `operator webhook.${action} ${id}`,
        ),
      );
    }));

  it('say what is wrong and what to do', () =>
    withOperatorCli(async ({ db, succeed, refuse }) => {
      const company = await createProcessedCompany(db);
      const create = `webhook-endpoint create --company ${company} --url`;
      const { id } = await succeed(`${create} ${url}`);
      await succeed(`webhook-endpoint disable ${id} --company ${company}`);
      const noWebhook = 'The company has no such webhook endpoint: check the id and --company.';
      const isDisabled = 'The webhook endpoint is disabled. Enable it first.';
      await refuse(
        [`${create} nonsense`, '--url must be a URL such as https://example.com/webhooks.'],
        [
          `${create} http://127.0.0.1:9000/`,
          '--url must be at a public address: use a host that the Internet can reach.',
        ],
        [
          `${create} https://a:b@example.com/`,
          '--url must not contain credentials: verify the signature of each delivery instead.',
        ],
        [`${create} https://example.com:25/`, '--url must use port 443 or a port from 1024 to 65535, but uses 25.'],
        [
          `webhook-endpoint create --company 999999 --url ${url}`,
          'There is no company 999999: run "company list" to see all.',
        ],
        ...(['test', 'rotate', 'enable', 'disable', 'delete'] as const).map((word): [string, string] => [
          `webhook-endpoint ${word} 999 --company ${company}`,
          noWebhook,
        ]),
        [`webhook-endpoint replay 999 --company ${company} --from 1`, noWebhook],
        [`webhook-endpoint test ${id} --company ${company}`, isDisabled],
        [`webhook-endpoint replay ${id} --company ${company} --from 1`, isDisabled],
        [
          `webhook-endpoint replay ${id} --company ${company} --from 0`,
          '--from must be the sequence of an event, from 1, but is "0".',
        ],
        [`webhook-endpoint replay ${id} --company ${company} --from 5 --to 4`, '--to must not be less than `from`.'],
        [
          `webhook-endpoint test x --company ${company}`,
          'The id of the webhook endpoint must be a number, but is "x".',
        ],
      );
    }));
});
