import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { usePage } from '../../support/browser/fixture.ts';
import { inspect } from '../../support/browser/inspect.ts';
import { settled } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { anEmployee, makeDocument, makeEmployees } from '../../support/factories.ts';
import { until } from '../../support/until.ts';

/** Each test continues where the previous one ended. */
describe('the documents in a browser', { skip: noBrowser }, () => {
  const { fixture, page, actions } = usePage({
    as: 'admin',
    async first({ db, companyId }) {
      const [berta = 0, carla = 0] = await makeEmployees(db, companyId, [
        anEmployee({ first_name: 'Berta', last_name: 'Muster' }),
        anEmployee({ first_name: 'Carla', last_name: 'Muster' }),
      ]);
      await makeDocument(db, companyId, { employeeId: berta, name: 'Signed form', fileType: 'png' });
      await makeDocument(db, companyId, { employeeId: carla, name: 'Another form', fileType: 'png' });
    },
  });

  it('lists those of employees, and filters by employee, type and name', async () => {
    await actions.goTo('Documents');
    await page.getByText('1–2 of 2').waitFor();
    await inspect(page, 'the documents of employees');
    const employee = page.getByRole('combobox', { name: 'Employee' });
    await employee.click();
    await employee.fill('carla');
    await page.getByRole('option', { name: /Carla Muster/ }).click();
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('row').getByText('Another form').waitFor();
    assert.match(page.url(), /employeeId=\d+/);
    await page.reload();
    await settled(page);
    await until('the filter names the employee', async () => (await employee.inputValue()) === 'Carla Muster');
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing at all');
    await actions.button('Clear filters').click();
    await page.getByText('1–2 of 2').waitFor();
  });

  it('lists those of the company, and says how they appear as long as there are none', async () => {
    await page.getByText('Of the company').click();
    await page.getByText('Invoices appear here once a month is billed.').waitFor();
    await inspect(page, 'no documents of the company');
    await makeDocument(fixture.db, fixture.companyId, { name: 'Framework agreement', fileType: 'docx' });
    await page.reload();
    await page.getByRole('row').getByText('Framework agreement').waitFor();
    await inspect(page, 'the documents of the company');
  });

  it('opens from the page of an employee', async () => {
    await actions.goTo('Employees');
    await page.getByRole('link', { name: 'Berta Muster' }).click();
    await page.getByRole('link', { name: 'All documents' }).click();
    await page.getByRole('row').getByText('Signed form').waitFor();
    await page.getByText('1–1 of 1').waitFor();
  });
});
