import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signInQuietly } from '../../support/browser/demo.ts';
import { nextMonth } from '../../support/browser/fixture.ts';
import { assertUsableByAll, inspect } from '../../support/browser/inspect.ts';
import { inspectPhone, textsOf, useMyFixture } from '../../support/browser/my.ts';
import { pageActionsOn } from '../../support/browser/page-actions.ts';
import { settled } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { before, prepare, standIn } from '../../support/prepare.ts';
import { rowsOf } from '../../support/rows.ts';
import { until } from '../../support/until.ts';

const t = textsOf('de');
const deadline = nextMonth.subtract({ months: 1 }).with({ day: 8 });
const monthName = nextMonth.toLocaleString('de-DE', { month: 'long', year: 'numeric' });
const longDate = (day: Temporal.PlainDate) => day.toLocaleString('de-DE', { dateStyle: 'long' });

const subscribed = (first_name: string, last_name: string, roster_group: string | null) => ({
  ...{ first_name, last_name, roster_group, email: `${first_name.toLowerCase()}@example.com` },
  ...{ subscription_status: 'active' as const, contract_status: 'accepted' as const },
  ...{ start_on: nextMonth.subtract({ months: 1 }).toString(), next_ticket_on: nextMonth.toString() },
});

/** What HR does so that a site pays more, until its deadline is over, in German. Each test continues where the last one ended. */
describe('policies in a browser', { skip: noBrowser }, () => {
  const { fixture, openPhone } = useMyFixture();
  const ids = { anna: 0, ben: 0, carla: 0 };
  const hr = prepare(
    async () => {
      ids.anna = await fixture.addEmployee(subscribed('Anna', 'Förde', 'Kiel'));
      ids.ben = await fixture.addEmployee(subscribed('Ben', 'Förde', null));
      ids.carla = await fixture.addEmployee(subscribed('Carla', 'Förde', null));
      await fixture.addEmployee(subscribed('Dora', 'Weser', null));
      return fixture.open({ locale: 'de-DE' });
    },
    ({ context }) => context.close(),
  );
  const opened = prepare(async () => ({ page: await hr.context.newPage() }));
  const page = standIn(() => opened.page);
  const actions = standIn(() => pageActionsOn(opened.page));
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option }).click();
  };
  /** The calendar begins with the month of the browser's clock, the environment is in the next one. */
  const pickDay = async (day: Temporal.PlainDate) => {
    const month = day.toLocaleString('de-DE', { month: 'long' });
    const wanted = page.getByRole('button', { name: new RegExp(`^${day.day}\\.? ${month} ${day.year}$`) });
    const next = actions.button('Nächster Monat');
    await wanted.or(next).first().waitFor();
    if ((await wanted.count()) === 0) await next.click();
    await wanted.click();
  };
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });

  before(async () => {
    assert.equal((await signInQuietly(hr.context, fixture.origin, fixture.users.hr)).status(), 204);
    await page.goto(`${fixture.origin}/`);
    await settled(page);
  });

  it('apply to a group that HR enters for everybody who matches a filter', async () => {
    await page.goto(`${fixture.origin}/employees?search=F%C3%B6rde`);
    await page.getByRole('checkbox', { name: 'Ben Förde auswählen' }).check();
    await actions.button('Alle 3 passenden auswählen').click();
    await actions.button('Gruppe').click();
    await actions.dialog().getByText('Die Gruppe einer Person wird entfernt.').waitFor();
    await actions.dialog().getByRole('combobox', { name: 'Gruppe' }).fill('Kiel');
    await actions.dialog().getByText('Für 2 Beschäftigte ändert sich die Gruppe.').waitFor();
    await assertUsableByAll(page, 'a group for many');
    await actions.dialog().getByRole('button', { name: 'Speichern' }).click();
    await see('Die Gruppe von 2 Beschäftigten ist geändert.');
  });

  it('are added for a group, with what the employer pays in percent', async () => {
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name: 'Kostenregeln' }).click();
    await actions.heading('Kostenregeln').waitFor();
    await actions.button('Kostenregel anlegen').click();
    await actions.dialog().getByLabel('Name').fill('Niederlassung Kiel');
    await actions.dialog().getByRole('combobox', { name: 'Gruppen' }).fill('Kiel');
    await page.keyboard.press('Enter');
    await choose('Aufteilung', 'Das Unternehmen zahlt einen Prozentsatz');
    await actions.dialog().getByLabel('Prozent des Preises').fill('70');
    await actions.dialog().getByRole('button', { name: 'Kostenregel anlegen' }).click();
    await see('Die Kostenregel „Niederlassung Kiel“ ist angelegt.');
    await row(
      '^Niederlassung Kiel.*Unternehmen zahlt 70 %.*Person 17,95\\s€ · Unternehmen 41,90\\s€.*3 mit Abo',
    ).waitFor();
  });

  it('show the plan of a change first: who, how much, who must agree, and who loses the discount', async () => {
    await page.getByRole('link', { name: 'Beitrag ändern: Niederlassung Kiel' }).click();
    await actions.heading('Beitrag ändern: Niederlassung Kiel').waitFor();
    await page.getByLabel('Prozent des Preises').fill('15');
    await see(/^3 Abos ändern sich, .91,20\s€ im Monat für das Unternehmen$/);
    await see(/3 Beschäftigte müssen zustimmen, weil ihr Anteil steigt\./);
    await see(/3 Tickets verlieren den Rabatt von 5 %, weil das Unternehmen weniger als 25 % trägt\./);
    for (const name of ['Anna Förde', 'Ben Förde', 'Carla Förde'])
      await page.getByRole('row', { name: new RegExp(`^${name}.*20,00\\s€.*53,55\\s€.*nötig$`) }).waitFor();
    assert.equal(await page.getByText('Dora Weser').count(), 0);
    await actions.button('Andere Frist setzen').click();
    await actions.button('Zustimmen bis').click();
    await pickDay(deadline);
    await choose('Ohne Zustimmung', 'pausiert das Abo');
    await inspect(page, 'the plan of a change');
  });

  it('begin a change with its deadline, which mails everybody who must agree', async () => {
    await actions.button('Änderung beginnen').click();
    await actions
      .dialog()
      .getByText(`Wer zustimmen muss, hat bis zum ${longDate(deadline)} Zeit.`)
      .waitFor();
    await actions.dialog().getByRole('button', { name: 'Änderung beginnen' }).click();
    await actions.heading(`Niederlassung Kiel ab ${monthName}`).waitFor();
    await see(`Zustimmen können Beschäftigte bis zum ${longDate(deadline)}. Ohne Zustimmung pausiert das Abo.`);
    await row('Carla Förde').getByText('Offen').waitFor();
    const isAsked = (name: string) =>
      fixture.smtp.received.some(({ to, text }) => to.includes(`${name}@example.com`) && /53,55\s€/.test(text));
    await until('everybody is asked by mail', () => ['anna', 'ben', 'carla'].every(isAsked));
  });

  it('ask employees on their page: one agrees, one declines', async () => {
    const decide = async (id: number, decision: 'agreementAccept' | 'agreementReject') => {
      const phone = await openPhone('de');
      await phone.page.goto(await fixture.linkFor(id));
      await phone.press(t('continue'));
      await phone.page.getByText(t('agreementChangeTodo')).waitFor();
      await phone.press(t('agreementTodoAction'));
      await phone.page.getByText(/^Sie zahlen 53,55\s€ im Monat\.$/).waitFor();
      if (decision === 'agreementAccept') {
        await inspectPhone(phone.page, 'a higher share');
        await phone.page.getByLabel(t('agreementConsent')).check();
        await phone.press(t(decision));
        await phone.page.getByText(t('agreementAcceptedTitle')).waitFor();
      } else {
        await phone.press(t(decision));
        const dialog = phone.page.getByRole('dialog');
        await dialog.getByText(t('agreementRejectChangeText')).waitFor();
        await dialog.getByRole('button', { name: t(decision) }).click();
        await phone.page.getByText(t('agreementRejectedTitle')).waitFor();
      }
      await phone.context.close();
    };
    await decide(ids.anna, 'agreementAccept');
    await decide(ids.ben, 'agreementReject');
  });

  it('show how far the change has got', async () => {
    await page.reload();
    await row('Anna Förde').getByText('Zugestimmt').waitFor();
    await row('Ben Förde').getByText('Abgelehnt').waitFor();
    await row('Carla Förde').getByText('Offen').waitFor();
    await actions.button('Offene erinnern').click();
    await actions.dialog().getByRole('button', { name: 'Offene erinnern' }).click();
    await see('Eine Person wurde erinnert.');
    await page.getByRole('main').getByRole('link', { name: 'Kostenregeln' }).click();
    await see('1 von 3 haben zugestimmt');
  });

  it('pause those who have not agreed on the day after the deadline, and charge the others the new share', async () => {
    await fixture.travelTo(deadline.add({ days: 1 }));
    await page.reload();
    await page.getByRole('link', { name: `Niederlassung Kiel ab ${monthName}` }).click();
    await see(`Die Frist war der ${longDate(deadline)}. Ohne Zustimmung pausiert das Abo.`);
    await row('Anna Förde').getByText('Zugestimmt').waitFor();
    await row('Ben Förde').getByText('Pausiert').waitFor();
    await row('Carla Förde').getByText('Pausiert').waitFor();
    await fixture.travelTo(nextMonth);
    await page.reload();
    await row('Anna Förde').getByText('Geändert').waitFor();
    const { db, companyId } = fixture;
    const charged = await rowsOf(
      db,
      'billing_items',
      {
        company_id: companyId,
        charge_type: 'ticket-charge',
        period: nextMonth.toString(),
        employee_id: Object.values(ids),
      },
      ['employee_id', 'employee_share_cents', 'company_share_cents'],
    );
    assert.deepEqual(charged, [{ employee_id: ids.anna, employee_share_cents: 5355, company_share_cents: 945 }]);
    hr.record.assertClean();
  });
});
