import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signInQuietly } from '../../support/browser/demo.ts';
import { nextMonth, usePage } from '../../support/browser/fixture.ts';
import { inspect } from '../../support/browser/inspect.ts';
import { type Login, settled } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { anEmployee, makeCompany, makeEmployees } from '../../support/factories.ts';
import { makeUser } from '../../support/portal.ts';

const german = (day: Temporal.PlainDate, month: 'long' | '2-digit' = '2-digit') =>
  day.toLocaleString('de-DE', { day: month === 'long' ? 'numeric' : '2-digit', month, year: 'numeric' });

/** An employee whose ticket waits for their agreement. */
const undecided = () =>
  anEmployee({
    plan_type: 'split-pay-plan',
    contribution_cents: 2000,
    contract_status: 'pending',
    subscription_status: 'scheduled',
    start_on: nextMonth.toString(),
    due_on: nextMonth.toString(),
  });

/** Covers what HR does first in the morning, in German. Each test continues where the last one ended. */
describe('the overview in a browser', { skip: noBrowser }, () => {
  const { fixture, page, context, actions, see } = usePage({
    browser: { locale: 'de-DE', acceptDownloads: true },
    first: (opened) => opened.db.updateTable('companies').set({ cut_off_day: 20 }).execute(),
  });
  const cutOff = nextMonth.subtract({ months: 1 }).with({ day: 20 });
  const lastDay = nextMonth.subtract({ days: 1 });
  const monthName = nextMonth.toLocaleString('de-DE', { month: 'long', year: 'numeric' });
  const task = (name: RegExp) => page.getByRole('listitem').filter({ hasText: name });

  async function enter({ email, password }: Login) {
    await context.clearCookies();
    const { origin } = fixture;
    assert.equal((await signInQuietly(context, origin, { email, password })).status(), 204);
  }

  async function open() {
    await page.goto(`${fixture.origin}/`);
    await actions.heading('Übersicht').waitFor();
    await settled(page);
  }

  it('says that nothing is to be done, and names the next deadline and the forecast', async () => {
    await enter(fixture.users.hr);
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/portal/api/')) requests.push(pathname.slice('/portal/api'.length));
    });
    await open();
    await see('Nichts zu tun.');
    await see(`Nächster Termin: Stichtag am ${german(cutOff, 'long')}.`);
    await see(`${monthName}, Prognose`);
    await see(/^Ein Ticket, /);
    const ofShell = /^\/(me|memberships|auth\/.*)$/;
    assert.deepEqual(
      requests.filter((path) => !ofShell.test(path)),
      ['/overview'],
    );
    await inspect(page, 'an overview without tasks');
  });

  it('leads from open agreements to the links, and reminds those who have one', async () => {
    await makeEmployees(fixture.db, fixture.companyId, [undecided(), undecided()]);
    await open();
    const agreements = task(/2 Vereinbarungen sind offen/);
    await agreements.getByText(`Bis ${german(lastDay)}`).waitFor();
    await agreements.getByText(`Wer bis dahin nicht zustimmt, erhält für ${monthName} kein Ticket.`).waitFor();
    await inspect(page, 'an overview with tasks');
    await agreements.getByRole('link', { name: /^Links zum Unterschreiben senden/ }).click();
    await page.getByRole('checkbox', { name: 'Diese Seite auswählen' }).check();
    await actions.button('Links zum Unterschreiben senden').click();
    await actions.dialog().getByRole('button', { name: 'Links erstellen' }).click();
    await see(/^2 Links wurden erstellt/);
    await open();
    await agreements.getByRole('button', { name: /^2 Personen erinnern/ }).click();
    await actions.dialog().getByRole('button', { name: 'Erinnerungen senden' }).click();
    await see(/^2 Links wurden erstellt/);
    await actions.dialog().getByRole('button', { name: 'Schließen' }).last().click();
    await agreements.getByText('Alle wurden heute erinnert.').waitFor();
  });

  it('tells somebody of a new company what to do first', async () => {
    const company = await makeCompany(fixture.db, 'Neuland GmbH');
    await enter(await makeUser(fixture, company, 'viewer'));
    await open();
    await see('Noch keine Beschäftigten');
    assert.equal(await page.getByText('Was zu tun ist').count(), 0);
    await enter(await makeUser(fixture, company, 'admin'));
    await open();
    await inspect(page, 'the overview of a new company');
    await task(/Personaldaten anbinden/)
      .getByRole('link', { name: /^Anbindung wählen/ })
      .click();
    await page.waitForURL('**/integrations/new');
  });
});
