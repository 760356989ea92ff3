import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { actionsOf, createProcessedCompany, withOperatorCli } from '../../support/operator-cli.ts';
import { addEvents } from '../../support/webhooks.ts';

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
