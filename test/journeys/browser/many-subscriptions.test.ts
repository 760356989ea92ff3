import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signInQuietly } from '../../support/browser/demo.ts';
import { nextMonth, usePage } from '../../support/browser/fixture.ts';
import { assertUsableByAll, inspect } from '../../support/browser/inspect.ts';
import { settled } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { anEmployee, makeEmployees } from '../../support/factories.ts';
import { before } from '../../support/prepare.ts';
import { updateRows } from '../../support/rows.ts';

const people = 30;
const monthName = nextMonth.toLocaleString('de-DE', { month: 'long', year: 'numeric' });

const withoutSubscription = (_: unknown, index: number) =>
  anEmployee({
    first_name: 'Özlem',
    last_name: `Weiß-${String(index + 1).padStart(2, '0')}`,
    email: `oezlem.${index + 1}@example.com`,
    subscription_status: 'no-subscription',
    start_on: null,
    next_ticket_on: null,
    due_on: null,
    plan_type: 'split-pay-plan',
    contribution_cents: 2000,
  });

/** Covers what HR does about the subscriptions of many, in German. Each test continues where the last one ended. */
describe('subscriptions of many in a browser', { skip: noBrowser }, () => {
  const { fixture, context, page, actions, see } = usePage({
    browser: { locale: 'de-DE', acceptDownloads: true },
    first: ({ db, companyId }) => makeEmployees(db, companyId, Array.from({ length: people }, withoutSubscription)),
  });

  before(async () => {
    const { origin, users } = fixture;
    assert.equal((await signInQuietly(context, origin, users.hr)).status(), 204);
  });

  const choose = async (action: string) => {
    await actions.button('Abo').click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const statusOf = (name: RegExp) => page.getByRole('row').filter({ hasText: name });

  it('are invited to join, after a preview of the costs', async () => {
    const { db, companyId, origin } = fixture;
    await updateRows(db, 'companies', { id: companyId }, { joining: 'both' });
    await page.goto(`${origin}/employees?statuses=no-subscription`);
    await settled(page);
    await page.getByRole('checkbox', { name: 'Özlem Weiß-01 auswählen' }).check();
    await page.getByRole('checkbox', { name: 'Özlem Weiß-02 auswählen' }).check();
    await choose('Zum Beitritt einladen');
    await actions.dialog().getByText('Wenn beide').or(actions.dialog().getByText('2 Beschäftigte')).first().waitFor();
    await inspect(page, 'an invitation of selected employees');
    await actions.dialog().getByRole('button', { name: '2 Beschäftigte einladen' }).click();
    await actions.dialog().getByRole('status').waitFor();
    await actions.dialog().getByRole('button', { name: 'Schließen' }).last().click();
    const invited = db.selectFrom('joining_invitations').select('employee_id').where('company_id', '=', companyId);
    assert.equal((await invited.execute()).length, 2);
    await updateRows(db, 'companies', { id: companyId }, { joining: 'roster' });
  });

  it('are selected by a filter, and begin with the effects, the costs and who cannot', async () => {
    await page.goto(`${fixture.origin}/employees`);
    await page.getByRole('combobox', { name: 'Abo', exact: true }).click();
    await page.getByRole('option', { name: 'Kein Abo' }).click();
    await page.keyboard.press('Escape');
    await see(`1–25 von ${people}`);
    await page.getByRole('checkbox', { name: 'Diese Seite auswählen' }).check();
    await actions.button(`Alle ${people} passenden auswählen`).click();
    await inspect(page, 'employees with a selection');

    // Nobody can join while the roster alone decides.
    await choose('Zum Beitritt einladen');
    await actions.dialog().getByText('Beschäftigte können noch nicht selbst beitreten').waitFor();
    await inspect(page, 'invitations while the roster decides');
    await page.keyboard.press('Escape');
    await actions.dialog().waitFor({ state: 'detached' });
    await choose('Abo abschließen');
    await actions
      .dialog()
      .getByText(new RegExp(`^${people} Abos beginnen, \\+`))
      .waitFor();
    await actions
      .dialog()
      .getByText(/^Davon im Monat: Unternehmen \+.*, Beschäftigte \+600,00\s€\.$/)
      .waitFor();
    await actions
      .dialog()
      .getByText(new RegExp(`^Ab ${monthName}: Özlem Weiß-01, .* und 25 weitere$`))
      .waitFor();
    await assertUsableByAll(page, 'the preview for many');
  });

  it('are applied with progress, and the result can be saved', async () => {
    await actions.button(`${people} Abos abschließen`).click();
    await see(`Für ${people} Beschäftigte erledigt.`);
    await assertUsableByAll(page, 'the result for many');
    const file = await actions.download(() => actions.dialog().getByRole('button', { name: /CSV/ }).click());
    const lines = file.bytes.toString().trim().split('\r\n');
    assert.equal(lines.length, 1 + people);
    assert.match(lines[1] ?? '', /^Özlem Weiß-01;oezlem\.1@example\.com;Erledigt;01\.\d\d\.\d{4};/);
  });

  it('are undone', async () => {
    await actions.button(`Für ${people} rückgängig machen`).click();
    await see(`Für ${people} Beschäftigte rückgängig gemacht.`);
    await actions.dialog().getByRole('button', { name: 'Schließen' }).last().click();
    await see(`1–25 von ${people}`);
    await settled(page);
  });

  it('pause for some months, and say for whom it is not possible and why', async () => {
    await page.goto(`${fixture.origin}/employees?search=wei%C3%9F-0`);
    await see('1–9 von 9');
    await page.getByLabel('Özlem Weiß-01 auswählen').check();
    await choose('Abo pausieren');
    await actions.dialog().getByText('Für niemanden in der Auswahl ändert sich etwas.').waitFor();
    await actions.dialog().getByText('Nicht möglich:').waitFor();
    await actions.dialog().getByText('Özlem Weiß-01').waitFor();
    assert(
      await actions
        .dialog()
        .getByRole('button', { name: /pausieren$/ })
        .isDisabled(),
    );
    await assertUsableByAll(page, 'a preview that applies to nobody');
    await statusOf(/Weiß-01/).waitFor({ state: 'attached' });
  });
});
