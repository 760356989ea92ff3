import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { devices } from 'playwright-core';
import { usePage } from '../../support/browser/fixture.ts';
import { assertUsableByAll, inspect } from '../../support/browser/inspect.ts';
import { noBrowser } from '../../support/browser.ts';
import { writeWorkbook } from '../../support/xlsx.ts';

const employees = 501;

/** As a German HR system exports it, with one column that nobody can guess. */
const roster = {
  name: 'Mitarbeiterliste.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: writeWorkbook({
    Liste: [
      ['Mitarbeiterliste Nordwind GmbH'],
      ['Schlüssel', 'Vorname', 'Nachname', 'E-Mail', 'Eintritt', 'Jobticket', 'Kürzel'],
      ...Array.from({ length: employees }, (_, index) => [
        `N-${index + 1}`,
        index === 0 ? 'Jürgen' : 'Özlem',
        index === 0 ? 'Größe' : `Weiß${index}`,
        `person${index}@example.com`,
        new Date('2024-03-01'),
        'ja',
        'x',
      ]),
    ],
  }),
};

/** Covers contracts from an Excel file to signatures. Each test continues where the last one ended. */
describe('contracts in a browser', { skip: noBrowser }, () => {
  const { fixture, page, actions, see } = usePage({ browser: { acceptDownloads: true }, as: 'admin' });
  let link: string;

  it('uploads an Excel file with umlauts, after the user has said what a column contains', async () => {
    await actions.createIntegration('Headquarters');
    await actions.dialog().getByRole('link', { name: 'Open integration' }).click();
    await page.getByRole('link', { name: 'Upload roster' }).click();
    await page.locator('input[type=file]').setInputFiles(roster);
    await actions.heading('What the columns contain', 2).waitFor();
    await see('501 rows below the names of the columns in row 2.');
    await see(/Still missing: HR ID/);
    await inspect(page, 'the columns of a roster');
    await page.getByRole('combobox', { name: 'Content of Schlüssel' }).click();
    await page.getByRole('option', { name: 'HR ID (personnel number)' }).click();
    await actions.button('Show preview').click();
    await actions.heading('Preview', 2).waitFor();
    assert.match(await actions.counts(), /Created 501/);
    await page.getByLabel('Search by name or HR ID').fill('größe');
    await see('1–1 of 1');
    await inspect(page, 'the complete preview of a roster');
    const file = await actions.download(() => actions.button('Download as CSV').click());
    assert.match(file.bytes.toString(), /^\uFEFF.*\r\nN-1,Jürgen Größe,/);
    await actions.applyRoster('Succeeded');
  });

  it('creates a personal link for one employee', async () => {
    await page.goto(`${fixture.origin}/employees?search=gr%C3%B6%C3%9Fe`);
    await page.getByRole('link', { name: 'Jürgen Größe' }).click();
    await actions.button('Send signing link').click();
    await assertUsableByAll(page, 'the dialog of signing links');
    await actions.dialog().getByRole('button', { name: 'Create links' }).click();
    const file = await actions.download(() => actions.button('Download links as CSV').click());
    link = /https?:[^,\r\n]+\/sign\/[^,\r\n]+/.exec(file.bytes.toString())?.[0] ?? '';
    assert.match(link, /\/sign\/\d+\.[\w-]{43}$/);
    await actions.dialog().getByRole('button', { name: 'Close' }).last().click();
    // Somebody who has a link may sign, or hand in a signed letter.
    await see(/The link to sign it was created on/);
    await actions.button('Record acceptance').waitFor();
  });

  it('reminds of the open link on the page of agreements, once', async () => {
    await page.goto(`${fixture.origin}/agreements?search=gr%C3%B6%C3%9Fe`);
    await see('0 of 501 signed');
    const remind = async () => {
      await actions.button('Remind').click();
      await actions.dialog().getByRole('button', { name: 'Send reminders' }).click();
    };
    await page.getByLabel('Select Jürgen Größe').check();
    await remind();
    const file = await actions.download(() => actions.button('Download links as CSV').click());
    assert.match(file.bytes.toString(), /\/sign\/\d+\.[\w-]{43}/);
    await actions.dialog().getByRole('button', { name: 'Close' }).last().click();
    await see(/^Reminded on /);
    await inspect(page, 'agreements with a selection');
    await remind();
    await see('None of the selected employees has an open link, or all were reminded today.');
    await actions.dialog().getByRole('button', { name: 'Close' }).last().click();
  });

  it('lets the employee sign on a phone, in German, without an account', async () => {
    const phone = await fixture.open({ ...devices['iPhone 13'], locale: 'de-DE' });
    const signing = await phone.context.newPage();
    await signing.goto(new URL(new URL(link).pathname, fixture.origin).href);
    await signing.getByRole('heading', { name: 'Ihr Jobticket' }).waitFor();
    await signing.getByText('Nordwind GmbH bietet Ihnen ein Jobticket an, Jürgen Größe.').waitFor();
    await signing.getByText(/20,00/).waitFor();
    await assertUsableByAll(signing, 'the page on which an employee signs');
    const href = await signing.getByRole('link', { name: 'Vereinbarung lesen (PDF)' }).getAttribute('href');
    const pdf = await fetch(new URL(href ?? '', fixture.origin));
    assert.deepEqual([pdf.status, (await pdf.text()).slice(0, 5)], [200, '%PDF-']);
    await signing.getByRole('button', { name: 'Zustimmen' }).click();
    await signing.getByRole('heading', { name: 'Sie haben zugestimmt' }).waitFor();
    await signing.reload();
    await signing.getByRole('heading', { name: 'Sie haben zugestimmt' }).waitFor();
    phone.record.assertClean();
    await phone.context.close();
  });

  it('shows that the agreement was opened and signed by the link', async () => {
    await page.goto(`${fixture.origin}/agreements?states=signed`);
    await see('1 of 501 signed');
    await page.getByRole('row', { name: /Jürgen Größe.*Signed.*by the link/ }).waitFor();
  });

  it('records the acceptance of all 500 others, with preview and progress', async () => {
    await actions.goTo('Overview');
    await page.getByRole('link', { name: /500 agreements are open/ }).click();
    await page.getByRole('checkbox', { name: 'Select this page' }).check();
    await actions.button('Select all 500 that match').click();
    await see('500 employees selected');
    await inspect(page, 'employees with a selection');
    await actions.button('Record acceptance').click();
    await see('The decision applies to 500 employees.');
    await assertUsableByAll(page, 'the preview of a decision about many');
    await actions.dialog().getByRole('button', { name: 'Record acceptance' }).click();
    // All 500 leave the list of pending contracts behind the dialog.
    await see('No results');
    await see('Done for 500 employees.');
    await assertUsableByAll(page, 'the result of a decision about many');
  });
});
