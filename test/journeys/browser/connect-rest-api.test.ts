import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { usePage } from '../../support/browser/fixture.ts';
import { inspect } from '../../support/browser/inspect.ts';
import { noBrowser } from '../../support/browser.ts';
import { factorialCredentials, startFakeFactorial } from '../../support/fake-hr/rest.ts';
import { prepare } from '../../support/prepare.ts';

/** Covers one connection from its template to its first sync. Each test continues where the last one ended. */
describe('connecting any REST API in a browser', { skip: noBrowser }, () => {
  const fake = prepare(
    () => startFakeFactorial(5),
    ({ close }) => close(),
  );
  const { page, record, actions, see } = usePage({ as: 'admin' });
  const connect = async (token: string) => {
    await page.getByLabel('Token or key').fill(token);
    await actions.button('Test and connect').click();
  };
  const requests = () => page.getByRole('textbox', { name: 'Requests' });
  /** Changes where the list of employees is, and asks the API again. */
  const reloadWith = async (list: string) => {
    const { employees, ...others } = JSON.parse(await requests().inputValue());
    await requests().fill(JSON.stringify({ ...others, employees: { ...employees, list } }));
    await actions.button('Save and reload').click();
  };

  it('fills the form with a template, and stores no credentials that are refused', async () => {
    await actions.goTo('HR data');
    await page.getByRole('link', { name: 'Add integration' }).first().click();
    await page.getByRole('button', { name: /^Any REST API/ }).click();
    await page.getByLabel('Template').selectOption('Factorial');
    assert.equal(await page.getByLabel('Name of the header').inputValue(), factorialCredentials.headerName);
    await page.getByLabel('Base URL').fill(`${fake.origin}/api`);
    await connect('wrong');
    await see('The HR system refused the credentials. Correct them and connect again.');
    await inspect(page, 'refused credentials');
    await connect(factorialCredentials.token);
    await see(/^Everything is readable/);
    await actions.button('Next').click();
  });

  it('has the first page beside the requests, and says what does not fit it', async () => {
    const firstPage = page.getByRole('region', { name: 'First page of the API' });
    await firstPage.getByText('person1@example.com').waitFor();
    await inspect(page, 'the mapping');
    await reloadWith('people');
    await see(/has no list at `?people`?\. Compare the first page/);
    await inspect(page, 'a mapping that does not fit');
    await reloadWith('data');
    await page.getByRole('main').getByRole('alert').waitFor({ state: 'detached' });
    await firstPage.getByText('person1@example.com').waitFor();
  });

  it('names the field whose expression cannot be read, and previews the corrected mapping', async () => {
    const email = page.getByRole('combobox', { name: 'Email' });
    await email.fill('$lowercase(email');
    await actions.button('Save and preview').click();
    const alert = page.getByRole('main').getByRole('alert');
    await alert.getByText('/mapping/fields/email').waitFor();
    await alert.getByText('contains "$lowercase(email", which is no JSONata expression').waitFor();
    record.expectRefusal(400);
    await inspect(page, 'an expression that cannot be read');
    await email.fill('$lowercase(email)');
    await actions.button('Save and preview').click();
    await see('5 employees are in the roster.');
    assert.match(await actions.counts(), /Created 5/);
  });

  it('is finished with the first sync', async () => {
    await actions.button('Next').click();
    await actions.button('Finish setup').click();
    await actions.heading('Any REST API').waitFor();
    await page.getByRole('row').getByText('Succeeded').waitFor();
    await inspect(page, 'the page of the integration');
  });
});
