import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { unzipSync } from 'fflate';
import { nextMonth } from '../../support/browser/fixture.ts';
import {
  inspectPhone,
  type MyLanguage,
  monthIn,
  type Phone,
  pressByKeyboard,
  readDevice,
  textsOf,
  useMyFixture,
} from '../../support/browser/my.ts';
import { noBrowser } from '../../support/browser.ts';
import { prepare, standIn } from '../../support/prepare.ts';
import { updateRows } from '../../support/rows.ts';
import { until } from '../../support/until.ts';

/** Covers an employee on a phone, from the invitation to signing out. Each test continues where the last one ended. */
for (const language of ['de', 'en'] as const satisfies readonly MyLanguage[]) {
  describe(`the employee's page on a phone (${language})`, { skip: noBrowser }, () => {
    const { fixture, openPhone } = useMyFixture();
    const t = textsOf(language);
    const month = (day: Temporal.PlainDate) => monthIn(language, day);
    const email = `juergen.${language}@example.com`;
    let id = 0;
    const made = prepare(async () => {
      id = await fixture.addEmployee({ email });
      await fixture.asAdmin('/joining/invitations', { employeeIds: [id], confirm: 1 });
      const phone = await openPhone(language);
      return { phone };
    });
    const phone = standIn<Phone>(() => made.phone);
    const page = standIn(() => made.phone.page);
    const check = (where: string) => inspectPhone(page, where);
    const seeText = (text: string | RegExp) => page.getByText(text).first().waitFor();
    const ticket = () => page.getByRole('article', { name: t('ticketTitle', { month: month(nextMonth) }) });

    it('shows the offer of an invitation, and removes its secret from the address at once', async () => {
      await page.goto(await fixture.mailedLink(email, /http\S+\/my\/invitation#[\w.~-]+/));
      await phone.see(t('invitationTitle'));
      await seeText(t('invitationText', { company: 'Nordwind GmbH', name: 'Jürgen' }));
      assert.equal(new URL(page.url()).hash, '');
      await page.goBack().catch(() => null);
      assert(!page.url().includes('#'), page.url());
      await page.goto(await fixture.mailedLink(email, /http\S+\/my\/invitation#[\w.~-]+/));
      await phone.see(t('invitationTitle'));
      await check('an invitation');
    });

    it('joins: the link by mail opens the page in this browser, and the agreement is accepted with the request', async () => {
      await phone.press(t('invitationJoin'));
      await phone.see(t('invitationSentTitle'));
      await check('a link on its way');
      await page.goto(await fixture.mailedLink(email, /http\S+\/my\/enter#[\w.~-]+/));
      await seeText(t('noTicketTitle'));
      assert.equal(new URL(page.url()).pathname + new URL(page.url()).hash, '/my');
      await check('a home without a ticket');
      await phone.press(t('joinAction'));
      await phone.see(t('subscribeTitle'));
      await seeText(t('preview'));
      await check('joining');
      await phone.press(t('confirmSubscribe'));
      await seeText(t('agreementConsentMissing'));
      const pdf = await page.context().request.get(`${fixture.origin}/my/api/agreement/file`);
      assert.equal((await pdf.body()).subarray(0, 5).toString(), '%PDF-');
      // While they read it, HR changes it: the page shows the new one, and asks again.
      await page.getByLabel(t('agreementConsent')).check();
      const company = { id: fixture.companyId };
      await updateRows(fixture.db, 'companies', company, { agreement_paragraph: `Gilt ab sofort (${language}).` });
      await phone.press(t('confirmSubscribe'));
      await seeText(t('agreementOtherTitle'));
      phone.record.expectErrors('409 (Conflict)');
      assert.equal(await page.getByLabel(t('agreementConsent')).isChecked(), false);
      await check('an agreement that has changed');
      await page.getByLabel(t('agreementConsent')).check();
      await phone.press(t('confirmSubscribe'));
      await phone.see(t('doneSubscribe'));
      await check('having joined');
    });

    it('shows the ticket of the month on its first day', async () => {
      await fixture.travelTo(nextMonth);
      await page.goto(`${fixture.origin}/my`);
      await ticket().waitFor();
      await seeText(t('ticketTestText'));
      await ticket().getByRole('button').click();
      await page.getByRole('dialog').waitFor();
      await check('a large code');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await check('a ticket');
    });

    it('shows the ticket without a network, from what is encrypted on the device', async () => {
      await until('the page works offline', () =>
        page.evaluate<boolean>('navigator.serviceWorker.controller !== null'),
      );
      await until('the ticket is stored', async () => (await readDevice(page)).plain !== undefined);
      const { extractable, algorithm, plain = '' } = await readDevice(page);
      assert.deepEqual([extractable, algorithm], [false, 'AES-GCM']);
      assert(plain.length > 100 && !/TB1|Jürgen|validFrom/.test(plain));
      await phone.context.setOffline(true);
      await page.reload();
      await ticket().waitFor();
      await seeText(t('offlineTicket'));
      await check('a ticket offline');
      await page.getByRole('link', { name: t('tabSubscription') }).click();
      await seeText(t('offlineText'));
      await check('a subscription offline');
      await page.goto(`${fixture.origin}/my`);
      await ticket().waitFor();
      await phone.context.setOffline(false);
      await page.reload();
      await seeText(t('hello', { name: 'Jürgen' }));
      phone.record.expectErrors('ERR_INTERNET_DISCONNECTED');
      const stored = await page.evaluate<string[]>(
        `caches.keys().then(async (names) => (await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())`,
      );
      assert(stored.includes('/my') && stored.length > 5);
      assert.deepEqual(
        stored.filter((path) => path.startsWith('/my/api')),
        [],
      );
    });

    it('pauses, and undoes it, with the dates shown before', async () => {
      await page.getByRole('link', { name: t('tabSubscription') }).click();
      await phone.see(t('subscriptionTitle'));
      await seeText(t('historyEmployee'));
      await check('a subscription');
      await phone.press(t('actionPause'));
      await phone.see(t('pauseTitle'));
      await seeText(t('previewNoTicket'));
      await check('a pause');
      await phone.press(t('confirmPause'));
      await phone.see(t('donePause'));
      await seeText(month(nextMonth.add({ months: 1 })));
      await check('a pause that is set');
      await phone.press(t('doneBack'));
      await seeText(t('pauseEmployee'));
      await phone.press(t('undoAction'));
      await phone.see(t('undoPageTitle'));
      await check('undoing');
      await phone.press(t('confirmUndo'));
      await phone.see(t('doneUndo'));
      await phone.press(t('doneBack'));
      await seeText(t('statusActive'));
      assert.equal(await page.getByText(t('pauseEmployee'), { exact: true }).count(), 0);
    });

    it('cancels by the keyboard alone: last ticket, last deduction and until when it can be undone', async () => {
      await page.reload();
      await phone.see(t('subscriptionTitle'));
      await pressByKeyboard(page, t('actionCancel'));
      await phone.see(t('cancelTitle'));
      await seeText(t('lastDeduction'));
      await check('a cancellation');
      await pressByKeyboard(page, t('confirmCancel'));
      await phone.see(t('doneCancel'));
      await pressByKeyboard(page, t('doneBack'));
      await seeText(t('statusScheduledCancellation'));
      await check('a subscription that ends');
    });

    it('shows what is stored, and saves it with the documents', async () => {
      await page.getByRole('link', { name: t('tabData') }).click();
      await phone.see(t('dataTitle'));
      await seeText(email);
      await check('one’s own data');
      const saving = page.waitForEvent('download');
      await page.getByRole('link', { name: t('dataDownload') }).click();
      const files = unzipSync(await readFile(await (await saving).path()));
      const names = Object.keys(files);
      assert(
        names.some((name) => name.endsWith('.json')),
        names.join(),
      );
      assert(
        names.some((name) => name.endsWith('.pdf')),
        names.join(),
      );
    });

    it('signs out, and the device forgets the ticket, also offline', async () => {
      await phone.press(t('signOut'));
      await phone.see(t('enterTitle'));
      await until('the device is empty', async () => {
        const { extractable, plain } = await readDevice(page);
        return extractable === undefined && plain === undefined;
      });
      // The device has forgotten before the service has ended the session.
      await until('the service has ended the session', () =>
        page.evaluate<boolean>(`localStorage.getItem('my-page-sign-out') === null`),
      );
      await phone.context.setOffline(true);
      await page.goto(`${fixture.origin}/my`);
      await seeText(t('offlineText'));
      assert.equal(await ticket().count(), 0);
      await phone.context.setOffline(false);
      phone.record.expectErrors('ERR_INTERNET_DISCONNECTED');
    });
  });
}
