import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { usePage } from '../../support/browser/fixture.ts';
import { inspect } from '../../support/browser/inspect.ts';
import { settled } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { comingFirst } from '../../support/environment.ts';
import { anEmployee, aTicketCharge, makeBillingItems, makeEmployees } from '../../support/factories.ts';
import { setBuyer, setSeller } from '../../support/invoicing.ts';
import { before } from '../../support/prepare.ts';

const month = comingFirst();
const nextMonth = month.add({ months: 1 });
const nameOf = (day: Temporal.PlainDate) => day.toLocaleString('de-DE', { month: 'long', year: 'numeric' });

/** A month end with DATEV LODAS, as Ada does it. Each test continues where the previous one ended. */
describe('the end of the month in a browser', { skip: noBrowser }, () => {
  const { fixture, page, context, actions, see } = usePage({
    as: 'admin',
    async first({ db, companyId, linkOtto }) {
      await linkOtto('77');
      const now = Temporal.Now.instant();
      await setSeller(db, now);
      await setBuyer(db, companyId, now);
      const [anna = 0, ben = 0] = await makeEmployees(db, companyId, [
        anEmployee({ first_name: 'Anna', last_name: 'Muster', personnel_number: '4711' }),
        anEmployee({ first_name: 'Ben', last_name: 'Muster', personnel_number: '4712' }),
      ]);
      const shares = { company_share_cents: 3985, employee_share_cents: 2000, plan_type: 'split-pay-plan' } as const;
      await makeBillingItems(
        db,
        companyId,
        [anna, ben].map((id) => aTicketCharge(id, { period: month.toString(), ...shares })),
      );
    },
  });

  before(async () => {
    const { origin } = fixture;
    await context.request.post(`${origin}/portal/api/me/language`, { headers: { origin }, data: { language: 'de' } });
    await page.reload();
  });

  /** Counts what the user presses with the mouse. The pages are one document, so the counter stays. */
  const startCounting = () =>
    page.evaluate(() => {
      const counter = globalThis as unknown as EventTarget & { presses: number };
      if (counter.presses === undefined) counter.addEventListener('pointerdown', () => (counter.presses += 1), true);
      counter.presses = 0;
    });
  const countPresses = () => page.evaluate(() => (globalThis as unknown as { presses: number }).presses);

  const open = async (name: string) => {
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name, exact: true }).click();
    await actions.heading(name).waitFor();
  };
  const enter = async (label: string, value: string) => {
    const field = page.getByRole('textbox', { name: label });
    await field.click();
    await field.fill(value);
  };
  const exportFile = () => actions.download(() => actions.button('Exportieren und herunterladen').click());

  it('takes at most 20 clicks the first time, from the settings to the file', async () => {
    await startCounting();
    await open('Einstellungen');
    await page.getByRole('combobox', { name: 'Lohnprogramm' }).click();
    await page.getByRole('option', { name: 'DATEV LODAS' }).click();
    await enter('Beraternummer', '1234567');
    await enter('Mandantennummer', '12345');
    await enter('Lohnart: steuerfreier Zuschuss', '700');
    await enter('Lohnart: Eigenanteil', '9100');
    await actions.button('Änderungen speichern').click();
    await see('Die Einstellungen wurden gespeichert.');
    await open('Monatsabschluss');
    await see('Als Nächstes: Lohnexport.');
    const file = await exportFile();
    assert.equal(file.name, `lodas-${month.toString().slice(0, 7)}-1.txt`);
    assert.match(file.bytes.toString('latin1'), /;39,85;3;700;4711;/);
    const presses = await countPresses();
    assert(presses >= 5 && presses <= 20, `${presses} clicks`);
  });

  it('has the cover sheet beside the file, and remembers who handed it over', async () => {
    const pdf = await actions.download(() => page.getByRole('link', { name: 'Begleitblatt (PDF)' }).click());
    assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-');
    const sheet = await actions.download(() => page.getByRole('link', { name: 'Begleitblatt (Excel)' }).click());
    assert.match(sheet.name, /^begleitblatt-\d{4}-\d\d-1\.xlsx$/);
    await actions.button('Als übergeben kennzeichnen').click();
    await see(/Übergeben am .* von Ada Admin/);
    await settled(page);
    await inspect(page, 'month end, handed over');
    await actions.button('Übergabe von Export 1 zurücknehmen?').click();
    await actions.dialog().getByLabel('Grund').fill('Falscher Empfänger');
    await inspect(page, 'withdrawing a handover');
    await actions.dialog().getByRole('button', { name: 'Zurücknehmen' }).click();
    await actions.button('Als übergeben kennzeichnen').click();
    await see(/Übergeben am .* von Ada Admin/);
  });

  it('takes at most 4 clicks in later months, with the cover sheet and the handover', async () => {
    const { origin } = fixture;
    const travelled = await context.request.post(`${origin}/portal/api/time-travel`, {
      headers: { origin },
      data: { to: nextMonth.add({ days: 2 }).toString(), confirm: 1 },
    });
    assert.equal(travelled.status(), 200, await travelled.text());
    await page.goto(`${origin}/employees`);
    await settled(page);
    await startCounting();
    await open('Monatsabschluss');
    const file = await exportFile();
    assert.equal(file.name, `lodas-${nextMonth.toString().slice(0, 7)}-2.txt`);
    await actions.download(() => page.getByRole('link', { name: 'Begleitblatt (PDF)' }).click());
    await actions.button('Als übergeben kennzeichnen').click();
    await see(`${nameOf(nextMonth)} ist abgeschlossen.`);
    const presses = await countPresses();
    assert(presses > 0 && presses <= 4, `${presses} clicks`);
    await inspect(page, 'a complete month');
  });

  it('keeps the months that are over', async () => {
    await page.getByRole('combobox', { name: 'Monat' }).click();
    await page.getByRole('option', { name: nameOf(month) }).click();
    await see('Der Monat ist vorbei.');
    await see(/Übergeben am .* von Ada Admin/);
    assert.match(page.url(), /month=\d{4}-\d\d-01/);
  });
});
