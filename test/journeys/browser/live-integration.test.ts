import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signInQuietly } from '../../support/browser/demo.ts';
import { usePage } from '../../support/browser/fixture.ts';
import { settled } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { makeIntegration, makeKey } from '../../support/factories.ts';
import { before } from '../../support/prepare.ts';
import { anEntry } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

/** Covers what a page of an integration shows without being loaded again. */
describe('an open page of an integration', { skip: noBrowser }, () => {
  const { fixture, context, page, see } = usePage({ browser: { locale: 'de-DE', timezoneId: 'Europe/Berlin' } });
  let integrationId: number;
  let push: (syncId: string, count: number, to?: number) => Promise<void>;

  before(async () => {
    const { db, companyId, origin, users } = fixture;
    assert.equal((await signInQuietly(context, origin, users.hr)).status(), 204);
    integrationId = await makeIntegration(db, companyId, 'Zentrale');
    const { username, password } = await makeKey(db, companyId);
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    push = async (syncId, count, to = integrationId) => {
      const employees = Array.from({ length: count }, (_, index) => anEntry(index + 1));
      const { status } = await fetch(`${origin}/v1/hr-integrations/${to}/sync`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ syncId, employees }),
      });
      assert.equal(status, 204);
    };
  });

  /** Whatever loads the page again loses this. */
  const mark = () => page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  const isSamePage = () => page.evaluate(() => 'isSamePage' in globalThis);

  it('shows a roster that a system has pushed meanwhile', async () => {
    await page.goto(`${fixture.origin}/integrations/${integrationId}`);
    await page.getByRole('heading', { name: 'Zentrale', level: 1 }).waitFor();
    await settled(page);
    await mark();
    await push('morning', 2);
    const row = (syncId: string) => page.getByRole('row').filter({ hasText: syncId });
    await row('morning').getByText('Erfolgreich').waitFor();
    await push('evening', 3);
    await row('evening').getByText('Erfolgreich').waitFor();
    assert(await isSamePage());
  });

  it('shows the same in the list of all integrations', async () => {
    const { db, companyId } = fixture;
    const branch = await makeIntegration(db, companyId, 'Filiale');
    await page.goto(`${fixture.origin}/integrations`);
    await see('Filiale');
    await settled(page);
    await mark();
    const read = () => page.getByRole('main').innerText();
    const waiting = await read();
    await push('first', 4, branch);
    await until('the list changes', async () => (await read()) !== waiting);
    assert(await isSamePage());
  });

  it('has times without seconds, and with a zone only for readers who live in another one', async () => {
    const timesOf = async (timezoneId: string) => {
      const { context, record } = await fixture.open({ locale: 'de-DE', timezoneId });
      const reader = await context.newPage();
      await signInQuietly(context, fixture.origin, fixture.users.hr);
      await reader.goto(`${fixture.origin}/integrations/${integrationId}`);
      await reader.getByRole('row').filter({ hasText: 'evening' }).waitFor();
      const times = await reader.locator('time').allInnerTexts();
      record.assertClean();
      await context.close();
      return times;
    };
    const [near, far] = [await timesOf('Europe/Berlin'), await timesOf('America/New_York')];
    assert(near.length >= 3);
    for (const time of near) assert.match(time, /^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/);
    for (const time of far) assert.match(time, /^\d\d\.\d\d\.\d{4}, \d\d:\d\d (MEZ|MESZ|GMT\+[12])$/);
  });
});
