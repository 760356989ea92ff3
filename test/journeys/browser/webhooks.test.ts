import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { usePage } from '../../support/browser/fixture.ts';
import { assertUsableByAll, inspect } from '../../support/browser/inspect.ts';
import { signIn } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { prepare } from '../../support/prepare.ts';
import { until } from '../../support/until.ts';
import { type Received, startReceiver } from '../../support/webhooks.ts';

/** Covers one endpoint from its creation to its deletion. Each test continues where the previous one ended. */
describe('webhooks in a browser', { skip: noBrowser }, () => {
  /** What the receiver responds with. */
  let status = 204;
  const receiver = prepare(
    () => startReceiver(() => ({ status, body: status === 204 ? '' : 'Try <b>later</b>' })),
    ({ stop }) => stop(),
  );
  const { fixture, context, record, page, actions, see } = usePage({ as: 'admin' });
  let secret: string;

  const choose = async (item: string) => {
    await actions.button('More actions').click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const verify = ({ headers, body }: Received, key = secret) =>
    new Webhook(key).verify(body, headers as globalThis.Record<string, string>) as { event: { type: string } };

  it('says what they are for, and shows at the field what is wrong with a URL', async () => {
    const { dialog } = actions;
    await actions.goTo('Webhooks');
    await see('No endpoints yet');
    await inspect(page, 'the page without endpoints');
    await actions.button('Add endpoint').click();
    await dialog().getByLabel('URL').fill('ftp://example.com/');
    await dialog().getByRole('button', { name: 'Add endpoint' }).click();
    await dialog().getByText('The URL must start with https://.').waitFor();
    assert.equal(await dialog().getByLabel('URL').getAttribute('aria-invalid'), 'true');
    await assertUsableByAll(page, 'the form of a new endpoint');
    record.expectRefusal(400);
  });

  it('shows the secret once', async () => {
    const { dialog } = actions;
    await dialog().getByLabel('URL').fill(receiver.url);
    await dialog().getByLabel('Description').fill('Payroll');
    await dialog().getByRole('button', { name: 'Add endpoint' }).click();
    secret = await dialog('Copy the secret now').getByLabel('Signing secret').inputValue();
    assert.match(secret, /^whsec_/);
    await assertUsableByAll(page, 'the secret of a new endpoint');
    await page.keyboard.press('Escape');
    await dialog().getByRole('button', { name: 'I have copied it' }).click();
    await actions.heading('Payroll').waitFor();
    await page.reload();
    await actions.heading('Payroll').waitFor();
    await see('No deliveries yet');
    assert(!(await page.content()).includes(secret));
  });

  it('shows what came of a test event, with its request and response', async () => {
    const { dialog } = actions;
    await actions.button('Send test event').click();
    await see(/Your server responded with status 204 after [\d,]+ ms\./);
    assert.equal(verify(receiver.received[0] as Received).event.type, 'webhook-test');
    await inspect(page, 'the page of an endpoint');
    await actions.button('View request and response').click();
    const request = await dialog().locator('pre').innerText();
    const body = JSON.parse(request.slice(request.indexOf('{')));
    assert.deepEqual(body, JSON.parse(receiver.received[0]?.body ?? ''));
    assert(request.includes(`webhook-id: ${receiver.received[0]?.headers['webhook-id']}`));
    await assertUsableByAll(page, 'a delivery');
  });

  it('sends an event again, with the same id', async () => {
    const { dialog } = actions;
    status = 500;
    await dialog().getByRole('button', { name: 'Send again' }).click();
    await dialog().getByText('Status 500 instead of 2xx.').waitFor();
    await dialog().getByText('Try <b>later</b>').waitFor();
    assert.equal(receiver.received[1]?.headers['webhook-id'], receiver.received[0]?.headers['webhook-id']);
    status = 204;
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('row', { name: /Test event/ }).waitFor();
  });

  it('signs with both secrets after a rotation', async () => {
    const { dialog } = actions;
    await choose('Rotate secret');
    await dialog().getByRole('button', { name: 'Rotate secret' }).click();
    const rotated = await dialog('Copy the new secret now').getByLabel('Signing secret').inputValue();
    assert.notEqual(rotated, secret);
    await dialog().getByRole('button', { name: 'I have copied it' }).click();
    receiver.received.splice(0);
    await actions.button('Send test event').click();
    await until('the test event has arrived', () => receiver.received.some(isFresh));
    const fresh = receiver.received.find(isFresh) as Received;
    for (const key of [secret, rotated]) assert.equal(verify(fresh, key).event.type, 'webhook-test');
  });
  /** The first test event is repeated, because it was refused. The next one has another sequence. */
  const isFresh = ({ body }: Received) => JSON.parse(body).event.sequence > 1;

  it('lists the events', async () => {
    await actions.goTo('Events');
    await actions.button('Payload of event 1').click();
    await page.getByRole('main').locator('pre').waitFor();
    await inspect(page, 'the events');
  });

  it('are disabled, enabled and deleted', async () => {
    const { dialog } = actions;
    await actions.goTo('Webhooks');
    await inspect(page, 'the list of endpoints');
    await page.getByRole('link', { name: receiver.url }).click();
    await actions.heading('Payroll').waitFor();
    await choose('Disable');
    await dialog().getByRole('button', { name: 'Disable' }).click();
    await see('This endpoint is disabled');
    assert.equal(await actions.button('Send test event').count(), 0);
    await actions.button('Enable').click();
    await actions.button('Send test event').waitFor();
    await choose('Delete');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await see('The endpoint has been deleted.');
    await see('No endpoints yet');
  });

  it('stay open with the reason if they cannot be deleted', async () => {
    const [endpoints, headers] = [`${fixture.origin}/portal/api/webhook-endpoints`, { origin: fixture.origin }];
    const created = await context.request.post(endpoints, {
      headers,
      data: { url: receiver.url, eventTypes: [], description: '' },
    });
    const { id } = (await created.json()).data;
    await page.goto(`${fixture.origin}/webhooks/${id}`);
    await choose('Delete');
    assert.equal((await context.request.delete(`${endpoints}/${id}`, { headers })).status(), 204);
    await actions.dialog().getByRole('button', { name: 'Delete' }).click();
    await actions.dialog().getByText('This endpoint has been deleted in the meantime.').waitFor();
    assert.ok(page.url().endsWith(`/webhooks/${id}`), page.url());
    record.expectRefusal(404);
  });

  it('can be seen by others, who may not change them', async () => {
    await context.clearCookies();
    await signIn(page, fixture.origin, fixture.users.hr, '/webhooks');
    await see('No endpoints yet');
    assert.equal(await actions.button('Add endpoint').count(), 0);
  });
});
