import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { updateHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { usePage } from '../../support/browser/fixture.ts';
import { inspect } from '../../support/browser/inspect.ts';
import { noBrowser } from '../../support/browser.ts';
import { aPerson, startFakeWith } from '../../support/fake-hr/personio.ts';
import { prepare } from '../../support/prepare.ts';

/** Covers one connection from the choice of the HR system to its renewal. Each test continues where the last one ended. */
describe('connecting Personio in a browser', { skip: noBrowser }, () => {
  const fake = prepare(
    () => startFakeWith(4),
    ({ close }) => close(),
  );
  const absenceTypes = [
    { id: 'parental', name: 'Elternzeit' },
    { id: 'vacation', name: 'Urlaub' },
  ];
  const { fixture, page, actions, see } = usePage({
    env: () => ({ PERSONIO_URL: fake.origin }),
    first: async () => Object.assign(fake.account, { absenceTypes }),
    as: 'admin',
  });
  let address: string;

  const enter = async (secret: string) => {
    await page.getByLabel('Client ID').fill('papi-client');
    await page.getByLabel('Client secret').fill(secret);
    await actions.button('Test and connect').click();
  };

  it('offers every source, and stores no credentials that are refused', async () => {
    await actions.goTo('HR data');
    await page.getByRole('link', { name: 'Add integration' }).first().click();
    for (const name of [/^Personio/, /^HiBob/, /^BambooHR/, /^CSV file on an SFTP/, /^API/, /^Upload/]) {
      await page.getByRole('button', { name }).waitFor();
    }
    await inspect(page, 'the choice of the source');
    await page.getByRole('button', { name: /^CSV file/ }).click();
    await actions.button('Test and connect').click();
    await see('Fill in this field.');
    await inspect(page, 'the credentials of SFTP');
    await actions.button('Back').click();
    await page.getByRole('button', { name: /^Personio/ }).click();
    await see('Tick “Employees: read” and “Absences: read”, and no others.');
    await enter('wrong');
    await see(/^Personio refused the client id and secret\./);
    await inspect(page, 'refused credentials');
  });

  it('names each missing permission in the words of Personio', async () => {
    fake.account.withheld = ['hire_date'];
    fake.account.canReadAbsences = false;
    await enter('papi-secret');
    await actions.heading('Set up Personio').waitFor();
    await see('2 permissions or attributes are missing');
    await see('The permission “Absences: read” is missing.');
    await see('Personio does not release the attribute “hire_date”.');
    await inspect(page, 'a connection test with gaps');
    fake.account.withheld = [];
    fake.account.canReadAbsences = true;
    await actions.button('Test again').click();
    await see(/^Everything is readable/);
    address = new URL(page.url()).pathname;
  });

  it('maps attributes and absence types, with suggestions', async () => {
    await actions.button('Next').click();
    await actions.heading('Mapping', 2).waitFor();
    assert.equal(await page.getByLabel('HR ID').first().inputValue(), 'ID (id)');
    await page.getByLabel('Only these types').check();
    assert.equal(await page.getByLabel('Elternzeit').isChecked(), true, 'is suggested');
    assert.equal(await page.getByLabel('Urlaub').isChecked(), false);
    await inspect(page, 'the mapping');
    await actions.button('Save and preview').click();
  });

  it('shows what the first sync would do, and finishes with it', async () => {
    await see('4 employees are in the roster.');
    assert.match(await actions.counts(), /Created 4/);
    await inspect(page, 'the preview');
    await actions.button('Next').click();
    await page.getByLabel('Every night at').fill('03:15');
    await inspect(page, 'the schedule');
    await actions.button('Finish setup').click();
    await actions.heading('Personio').waitFor();
    await page.getByRole('link', { name: /^pull-/ }).waitFor();
    await page.getByRole('row').getByText('Succeeded').waitFor();
    await see('03:15');
    await inspect(page, 'the page of the integration');
  });

  it('pulls now', async () => {
    fake.account.people.push(aPerson(5));
    await actions.button('Sync now').click();
    await page.getByRole('row').getByText('Succeeded').nth(1).waitFor();
  });

  it('says that the credentials are refused, and reconnects the same integration', async () => {
    const id = Number(address.split('/')[2]);
    await writeCompany(fixture.db, fixture.companyId, (tx) =>
      updateHrIntegration(tx, fixture.companyId, { id, status: 'invalid' }),
    );
    await page.reload();
    await see('The HR system no longer grants access. Employees are not kept up to date.');
    await inspect(page, 'an integration whose credentials are refused');
    await page.getByRole('link', { name: 'Reconnect' }).click();
    await actions.heading('Reconnect Personio').waitFor();
    await enter('papi-secret');
    await see('Personio is connected again.');
    assert.equal(new URL(page.url()).pathname, `/integrations/${id}`);
    await page
      .getByText('The HR system no longer grants access. Employees are not kept up to date.')
      .waitFor({ state: 'detached' });
  });

  it('speaks German', async () => {
    const german = await fixture.open({ locale: 'de-DE' });
    const other = await german.context.newPage();
    fake.account.withheld = ['hire_date'];
    await other.goto(`${fixture.origin}${address}`);
    await other.getByLabel('E-Mail').fill(fixture.users.admin.email);
    await other.getByRole('textbox', { name: 'Passwort' }).fill(fixture.users.admin.password);
    await other.getByRole('button', { name: 'Anmelden' }).click();
    await other.getByRole('heading', { name: 'Verbindungstest' }).waitFor();
    await other.getByText('Personio gibt das Attribut „hire_date“ nicht frei.').waitFor();
    await other.getByText(/Wählen Sie es unter „Lesbare Mitarbeiterattribute“/).waitFor();
    fake.account.withheld = [];
    await other.getByRole('button', { name: 'Erneut testen' }).click();
    await other.getByText(/^Alles ist lesbar/).waitFor();
    await other.getByRole('button', { name: 'Weiter' }).click();
    await other.getByRole('heading', { name: 'Wer gehört dazu' }).waitFor();
    await inspect(other, 'the mapping in German');
    german.record.assertClean();
    await german.context.close();
  });
});
