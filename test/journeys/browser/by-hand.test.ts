import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { TestResponse } from '../../support/app.ts';
import { usePage } from '../../support/browser/fixture.ts';
import { assertUsableByAll } from '../../support/browser/inspect.ts';
import { settled } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { makeIntegration, makeKey } from '../../support/factories.ts';
import { anEntry } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

/** Covers what HR enters about one person, in German. Each test continues where the last one ended. */
describe('people by hand in a browser', { skip: noBrowser }, () => {
  const { fixture, context, page, see } = usePage({ as: 'hr' });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  /** The calendar begins with the month of the browser's clock, the environment is in the next one. */
  const pickDay = async (field: string, day: number) => {
    await button(field).click();
    await button('Nächster Monat').click();
    await button(new RegExp(`^${day} `)).click();
  };
  const choose = async (action: string) => {
    await button('Aktionen').click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  let push: (syncId: string, fields?: object) => Promise<number>;
  before(async () => {
    const { db, companyId, origin } = fixture;
    const integrationId = await makeIntegration(db, companyId, 'Personio Berlin');
    const key = await makeKey(db, companyId);
    const headers = {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${key.username}:${key.password}`).toString('base64')}`,
    };
    const nina = { firstName: 'Nina', lastName: 'Roth', email: 'nina@example.com', startDate: '2020-01-01' };
    push = async (syncId, fields) => {
      const entry = anEntry(1, { ...nina, terminationDate: null, absences: [], autoSyncEmployee: true, ...fields });
      const body = JSON.stringify({ syncId, employees: [entry] });
      const base = `${origin}/v1/hr-integrations/${integrationId}`;
      assert.equal((await fetch(`${base}/sync`, { method: 'POST', headers, body })).status, 204);
      const get = async (path: string) =>
        ((await (await fetch(path, { headers })).json()) as TestResponse['body']).data;
      await until(`${syncId} is applied`, async () => (await get(`${base}/syncs/${syncId}`)).state === 'succeeded');
      return (await get(`${origin}/v1/employees?search=nina`)).data[0].id;
    };
    const data = { language: 'de' };
    await context.request.post(`${origin}/portal/api/me/language`, { headers: { origin }, data });
  });

  it('adds a person with personnel number, after the effects', async () => {
    await page.goto(`${fixture.origin}/employees`);
    await button('Person hinzufügen').click();
    const form = dialog('Person hinzufügen');
    await form.getByLabel('Vorname').fill('Eva');
    await form.getByLabel('Nachname').fill('Neu');
    await form.getByLabel('E-Mail').fill('eva.neu@example.com');
    await form.getByLabel('Personalnummer').fill('4711');
    await form.getByLabel('Jobticket abonnieren').check();
    await form.getByText(/^1 Abo beginnt, \+/).waitFor();
    await assertUsableByAll(page, 'the form for a new person');
    await form.getByRole('button', { name: 'Hinzufügen' }).click();
    await page.getByRole('heading', { name: 'Eva Neu', level: 1 }).waitFor();
    await see('Steht auf keiner Personalliste und wird von Hand geführt.');
    await see('4711');
    await see('Von Hand hinzugefügt');
  });

  it('corrects a name, and removes the person', async () => {
    await choose('Angaben bearbeiten');
    const form = dialog('Angaben zu Eva Neu');
    await form.getByLabel('Nachname').fill('Alt');
    await form.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('heading', { name: 'Eva Alt', level: 1 }).waitFor();
    await see('Angaben von Hand geändert');
    await see('Hanna HR');
    await choose('Person entfernen');
    await dialog('Eva Alt entfernen?')
      .getByText(/^1 Abo endet, −|^1 Abo endet/)
      .waitFor();
    await assertUsableByAll(page, 'the removal of a person');
    await dialog('Eva Alt entfernen?').getByRole('button', { name: 'Person entfernen' }).click();
    await page.getByRole('heading', { name: 'Beschäftigte', level: 1 }).waitFor();
    await see('Eva Alt wurde entfernt.');
  });

  it('says where to change what the roster has', async () => {
    const id = await push('first');
    await page.goto(`${fixture.origin}/employees/${id}`);
    await see('Name, E-Mail, Erster Arbeitstag: aus „Personio Berlin“. Bitte dort ändern.');
    await choose('Angaben bearbeiten');
    const form = dialog('Angaben zu Nina Roth');
    assert(await form.getByLabel('Nachname').isDisabled());
    await form.getByText('Aus „Personio Berlin“. Bitte dort ändern.').first().waitFor();
    await form.getByLabel('Personalnummer').fill('12');
    await assertUsableByAll(page, 'the data of a person');
    await form.getByRole('button', { name: 'Speichern' }).click();
    await see('Die Angaben zu Nina Roth wurden gespeichert.');
    await page.getByText('von Hand', { exact: true }).waitFor();
  });

  it('enters an exit that survives the next roster, and that a roster replaces', async () => {
    await choose('Austritt eintragen');
    await pickDay('Letzter Arbeitstag', 20);
    await dialog('Austritt von Nina Roth')
      .getByText(/^1 Abo endet/)
      .waitFor();
    await assertUsableByAll(page, 'the exit of a person');
    await button('Speichern').click();
    const marks = page.getByText('von Hand', { exact: true });
    await until('number and exit are marked', async () => (await marks.count()) === 2);
    await push('second', { firstName: 'Nina Maria' });
    await page.reload();
    await page.getByRole('heading', { name: 'Nina Maria Roth', level: 1 }).waitFor();
    await settled(page);
    assert.equal(await marks.count(), 2);
    await push('third', { firstName: 'Nina Maria', terminationDate: '2030-06-30' });
    await page.reload();
    await see('30.06.2030');
    assert.equal(await marks.count(), 1);
    await choose('Austritt eintragen');
    await dialog(/Austritt/)
      .getByText('Der letzte Arbeitstag 30.06.2030 steht in „Personio Berlin“.')
      .waitFor();
    await page.keyboard.press('Escape');
  });

  it('enters an absence, and removes it', async () => {
    await choose('Abwesenheit eintragen');
    await pickDay('Erster Tag', 1);
    await dialog(/Abwesenheit/)
      .getByText(/^(1 Abo wird pausiert|Kein Abo)/)
      .waitFor();
    await assertUsableByAll(page, 'the absence of a person');
    await button('Speichern').click();
    await button(/^Abwesenheit vom .* entfernen$/).click();
    await dialog(/entfernen\?$/)
      .getByRole('button', { name: 'Entfernen' })
      .click();
    await see('Keine Abwesenheiten.');
  });
});
