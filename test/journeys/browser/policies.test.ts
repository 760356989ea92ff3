import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signInQuietly } from '../../support/browser/demo.ts';
import { nextMonth, usePage } from '../../support/browser/fixture.ts';
import { inspect } from '../../support/browser/inspect.ts';
import { settled } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { anEmployee, makeEmployees } from '../../support/factories.ts';
import { before } from '../../support/prepare.ts';

const monthName = (day: Temporal.PlainDate) => day.toLocaleString('de-DE', { month: 'long', year: 'numeric' });
const started = nextMonth.subtract({ months: 6 }).toString();
const running = (first: string, last: string) =>
  anEmployee({
    ...{ first_name: first, last_name: last, email: `${first}.${last}@example.com`.toLowerCase() },
    ...{ plan_type: 'split-pay-plan', contribution_cents: 2_000, contract_status: 'accepted' },
    ...{ subscription_status: 'active', start_on: started, next_ticket_on: nextMonth.toString() },
  });

/** What HR does about who pays what, in German. Each test continues where the last one ended. */
describe('benefit policies in a browser', { skip: noBrowser }, () => {
  const { fixture, context, page, actions, see } = usePage({
    browser: { locale: 'de-DE' },
    first: ({ db, companyId }) =>
      makeEmployees(db, companyId, [running('Carla', 'Kern'), running('Dirk', 'Dorn'), running('Eva', 'Ernst')]),
  });

  before(async () => {
    const { origin, users } = fixture;
    assert.equal((await signInQuietly(context, origin, users.hr)).status(), 204);
    await page.goto(`${origin}/policies`);
    await settled(page);
  });

  const open = async (path: string, heading: string) => {
    await page.goto(`${fixture.origin}${path}`);
    await actions.heading(heading).waitFor();
    await settled(page);
  };
  const openPerson = async (name: string) => {
    await open('/employees', 'Beschäftigte');
    await page.getByRole('link', { name, exact: true }).click();
    await actions.heading(name).waitFor();
    await settled(page);
  };
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  it('are created for a group, and listed with what they mean', async () => {
    await actions.button('Kostenregel anlegen').click();
    const dialog = actions.dialog('Kostenregel anlegen');
    await dialog.getByLabel('Name').fill('Werkstudierende');
    await dialog.getByLabel('Gruppen').fill('Studierende');
    await choose('Aufteilung', 'Das Unternehmen zahlt einen Prozentsatz');
    await dialog.getByLabel('Prozent des Preises').fill('50');
    await dialog.getByLabel('Mindestens (€, optional)').fill('10,00');
    await inspect(page, 'a new policy');
    await dialog.getByRole('button', { name: 'Kostenregel anlegen' }).click();
    await see('Die Kostenregel „Werkstudierende“ ist angelegt.');
    await see('Geteilte Kosten, Unternehmen zahlt 50 %, mindestens 10,00 €');
    await inspect(page, 'the policies');
  });

  it('apply by the group that HR enters, and by hand', async () => {
    await openPerson('Carla Kern');
    await see('Standard (Vorgabe des Unternehmens)');
    await actions.button('Aktionen').click();
    await page.getByRole('menuitem', { name: 'Angaben bearbeiten' }).click();
    await actions.dialog().getByLabel('Gruppe').fill('studierende');
    await actions.dialog().getByRole('button', { name: 'Speichern' }).click();
    await see('Werkstudierende (wegen der Gruppe studierende)');
    await openPerson('Dirk Dorn');
    await actions.button('Zuweisen').click();
    await choose('Kostenregel', 'Werkstudierende');
    await inspect(page, 'the policy of an employee');
    await actions.dialog().getByRole('button', { name: 'Speichern' }).click();
    await see('Werkstudierende (von Hand zugewiesen)');
  });

  it('change what employees pay: first the plan of the change, then the change', async () => {
    await open('/policies', 'Kostenregeln');
    await page.getByRole('link', { name: 'Beitrag ändern: Standard' }).click();
    await actions.heading('Beitrag ändern: Standard').waitFor();
    await see('Kein laufendes Abo ändert sich');
    await page.getByLabel('Betrag der Person (€)').fill('50,00');
    await choose('Ohne Zustimmung', 'pausiert das Abo');
    await see(/^1 Abo ändert sich, -26,85\s€ im Monat für das Unternehmen$/);
    await see(/Eine Person muss zustimmen, weil ihr Anteil steigt\. Ein Ticket verliert den Rabatt von 5 %/);
    await inspect(page, 'the plan of a change');
    await actions.button('Änderung beginnen').click();
    await see(/Das lässt sich nicht zurücknehmen/);
    await actions.dialog().getByRole('button', { name: 'Änderung beginnen' }).click();
    await actions.heading(`Standard ab ${monthName(nextMonth)}`).waitFor();
    await see(/^Zustimmen können Beschäftigte bis zum 9\. .* Ohne Zustimmung pausiert das Abo\.$/);
    await page.getByRole('row', { name: /Eva Ernst .* Offen/ }).waitFor();
    await inspect(page, 'the progress of a change');
  });

  it('remind those who have not decided, once a day', async () => {
    for (const answer of ['Eine Person wurde erinnert.', 'Heute wurden schon alle erinnert.']) {
      await actions.button('Offene erinnern').click();
      await actions.dialog().getByRole('button', { name: 'Offene erinnern' }).click();
      await see(answer);
    }
    await open('/policies', 'Kostenregeln');
    await see('0 von 1 haben zugestimmt');
    await inspect(page, 'a change that is under way');
  });
});
