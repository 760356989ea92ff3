import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signInQuietly } from '../../support/browser/demo.ts';
import { nextMonth, usePage } from '../../support/browser/fixture.ts';
import { inspect } from '../../support/browser/inspect.ts';
import type { RosterFile } from '../../support/browser/rosters.ts';
import { settled } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { before, prepare } from '../../support/prepare.ts';
import { startSmtpServer } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';
import { writeWorkbook } from '../../support/xlsx.ts';

const people = 60;

/** As a German HR system exports it. */
const workbook = (name: string, rows: readonly (readonly [string, string, string, string])[]): RosterFile => ({
  name,
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: writeWorkbook({
    Liste: [
      ['Personalnummer', 'Vorname', 'Nachname', 'E-Mail', 'Eintritt', 'Jobticket'],
      ...rows.map(([hrId, firstName, lastName, wish]) => [
        ...[hrId, firstName, lastName, `${firstName}.${hrId}@example.com`.toLowerCase()],
        ...[new Date('2024-03-01'), wish],
      ]),
    ],
  }),
});

const staff = workbook('Personalliste.xlsx', [
  ...Array.from({ length: people }, (_, index) => [`N-${index + 1}`, 'Özlem', `Weiß-${index + 1}`, 'ja'] as const),
  ['N-61', 'Xenia', 'Xaver', 'nein'],
]);
const southernStaff = workbook('Werk Süd.xlsx', [
  ['S-1', 'Uwe', 'Süd', 'ja'],
  ['S-2', 'Vera', 'Süd', 'ja'],
  ['S-3', 'Willi', 'Süd', ''],
]);

const longDate = (day: Temporal.PlainDate) => day.toLocaleString('de-DE', { dateStyle: 'long' });
const monthName = (day: Temporal.PlainDate) => day.toLocaleString('de-DE', { month: 'long', year: 'numeric' });

/** What HR does in the course of a month, in German, each as a job with an end. Each continues where the last one ended. */
describe('jobs of HR in a browser', { skip: noBrowser }, () => {
  const smtp = prepare(
    () => startSmtpServer(),
    ({ stop }) => stop(),
  );
  const { fixture, context, page, actions, see } = usePage({
    env: () => ({ ...smtp.env, MAIL_ALLOW: '*@example.com' }),
    browser: { locale: 'de-DE', acceptDownloads: true },
  });

  before(async () => {
    const { origin, users } = fixture;
    assert.equal((await signInQuietly(context, origin, users.admin)).status(), 204);
    await page.goto(`${origin}/`);
    await settled(page);
  });

  /** Counts what the user presses with the mouse. The pages are one document, so the counter stays. */
  const startCounting = () =>
    page.evaluate(() => {
      const counter = globalThis as unknown as EventTarget & { presses: number };
      if (counter.presses === undefined) counter.addEventListener('pointerdown', () => (counter.presses += 1), true);
      counter.presses = 0;
    });
  const countPresses = () => page.evaluate(() => (globalThis as unknown as { presses: number }).presses);
  const inMain = (name: string | RegExp) => page.getByRole('main').getByRole('link', { name });
  const goTo = async (name: string) => {
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name, exact: true }).click();
    await actions.heading(name).waitFor();
    await settled(page);
  };
  const choose = async (action: string) => {
    await actions.button('Aktionen').click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const openPerson = async (name: string) => {
    await goTo('Beschäftigte');
    await page.getByRole('searchbox', { name: 'Suche' }).fill(name);
    await page.getByRole('link', { name, exact: true }).click();
    await actions.heading(name).waitFor();
    await settled(page);
  };
  const pickDay = async (field: string, day: Temporal.PlainDate) => {
    await page.getByRole('button', { name: field }).click();
    const wanted = page.getByRole('button', { name: new RegExp(`^${day.day} .* ${day.year}$`) });
    const month = day.toLocaleString('de-DE', { month: 'long' });
    const inMonth = wanted.and(page.getByRole('button', { name: new RegExp(month) }));
    while ((await inMonth.count()) === 0) await actions.button('Nächster Monat').click();
    await inMonth.click();
  };
  /** Adds an integration for rosters as files, and uploads the first one. */
  const upload = async (site: string, file: RosterFile) => {
    await goTo('Personaldaten');
    await inMain('Integration hinzufügen').first().click();
    await page.getByRole('button', { name: /^Datei hochladen/ }).click();
    await actions.dialog().getByLabel('Name').fill(site);
    await actions.dialog().getByRole('button', { name: 'Integration anlegen' }).click();
    await actions.dialog().getByRole('link', { name: 'Personalliste hochladen' }).click();
    await page.locator('input[type=file]').setInputFiles(file);
    await actions.heading('Vorschau', 2).waitFor();
  };
  const answer = () => page.getByRole('region', { name: 'Auf einen Blick' });

  it('60 tickets: from an Excel file to signed agreements, with at most 12 clicks after the upload', async () => {
    await upload('Zentrale', staff);
    await see(/^60 Abos beginnen, \+/);
    await startCounting();
    await actions.button('Personalliste übernehmen').click();
    await see(/^60 Abos begonnen/);
    await see('Der Abgleich ist beendet: Erfolgreich.');
    await goTo('Übersicht');
    await page
      .getByRole('listitem')
      .filter({ hasText: '60 Vereinbarungen sind offen' })
      .getByRole('link', { name: /^Links zum Unterschreiben senden/ })
      .click();
    await page.getByRole('checkbox', { name: 'Diese Seite auswählen' }).check();
    await actions.button('Alle 60 passenden auswählen').click();
    await actions.button('Links zum Unterschreiben senden').click();
    await actions.dialog().getByRole('button', { name: 'Links erstellen' }).click();
    await see('60 Beschäftigte erhalten ihren Link per E-Mail.');
    await actions.dialog().getByRole('button', { name: 'Schließen' }).last().click();
    await until('all have their mail', () => smtp.received.length === people);
    for (const { text } of smtp.received) await sign(text);
    await goTo('Vereinbarungen');
    await see('60 von 60 unterschrieben');
    await inspect(page, 'all agreements are signed');
    const presses = await countPresses();
    assert(presses >= 5 && presses <= 12, `${presses} clicks`);
  });

  /** Does what employees do with the link in their mail. */
  async function sign(mail: string) {
    const [, token = ''] = /\/sign\/([\w.-]+)/.exec(mail) ?? [];
    const path = `${fixture.origin}/portal/api/signing/${token}`;
    const { data } = (await (await fetch(path)).json()) as { data: { documentSha256: string } };
    const body = JSON.stringify({ decision: 'contract-accepted', documentSha256: data.documentSha256 });
    const headers = { 'content-type': 'application/json', origin: fixture.origin };
    assert.equal((await fetch(path, { method: 'POST', headers, body })).status, 200);
  }

  it('why has Frau Xaver no ticket: her name, and the answer with the next step', async () => {
    await startCounting();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('xaver');
    await page.getByRole('option', { name: /Xenia Xaver/ }).waitFor();
    await page.keyboard.press('Enter');
    await actions.heading('Xenia Xaver').waitFor();
    await answer().getByText('Xenia Xaver hat kein Ticket.').waitFor();
    await answer()
      .getByText(/Personalliste/)
      .first()
      .waitFor();
    await answer().getByRole('link', { name: 'Personalliste prüfen' }).waitFor();
    assert.equal(await countPresses(), 0);
    await inspect(page, 'the answer about an employee without a ticket');
  });

  it('a leaver in the middle of a month: the last ticket and the last deduction are those of that month', async () => {
    const { origin } = fixture;
    const to = nextMonth.add({ days: 1 }).toString();
    const travelled = await context.request.post(`${origin}/portal/api/time-travel`, {
      headers: { origin },
      data: { to, confirm: 1 },
    });
    assert.equal(travelled.status(), 200, await travelled.text());
    await page.reload();
    await settled(page);
    await startCounting();
    await openPerson('Özlem Weiß-7');
    await choose('Austritt eintragen');
    const form = actions.dialog('Austritt von Özlem Weiß-7');
    await pickDay('Letzter Arbeitstag', nextMonth.with({ day: 15 }));
    await form.getByText(/^Ein Abo endet|^1 Abo endet/).waitFor();
    await form.getByRole('button', { name: 'Speichern' }).click();
    const last = nextMonth.add({ months: 1 }).subtract({ days: 1 });
    await answer()
      .getByText(`Özlem Weiß-7 hat das Ticket noch bis ${longDate(last)}.`)
      .waitFor();
    const facts = (await answer().innerText()).replaceAll(/\s+/g, ' ');
    assert(facts.includes(`Letztes Ticket ${monthName(nextMonth)}`), facts);
    assert(facts.includes(`Letzter Abzug ${monthName(nextMonth)}`), facts);
    assert((await countPresses()) <= 10);
    await inspect(page, 'somebody who leaves');
  });

  it('parental leave: the subscription pauses for the whole months, and continues by itself', async () => {
    const from = nextMonth.add({ months: 1 });
    const until = nextMonth.add({ months: 3 }).subtract({ days: 1 });
    await startCounting();
    await openPerson('Özlem Weiß-8');
    await choose('Abwesenheit eintragen');
    const form = actions.dialog('Abwesenheit von Özlem Weiß-8');
    await pickDay('Erster Tag', from);
    await pickDay('Letzter Tag', until);
    await form.getByText(/^Ein Abo wird pausiert|^1 Abo wird pausiert/).waitFor();
    await form.getByRole('button', { name: 'Speichern' }).click();
    await answer()
      .getByText(/^Özlem Weiß-8 hat das Ticket noch bis .*, danach pausiert das Abo /)
      .waitFor();
    await answer()
      .getByText(`Abwesend vom ${longDate(from)} bis ${longDate(until)}.`)
      .waitFor();
    await inspect(page, 'somebody on parental leave');
  });

  it('a second site with its own roster: nobody of the first one is touched', async () => {
    await upload('Werk Süd', southernStaff);
    await see(/^2 Abos beginnen, \+/);
    assert.match(await actions.counts(), /Angelegt 3/);
    assert.match(await actions.counts(), /Abgemeldet 0/);
    await actions.button('Personalliste übernehmen').click();
    await see('Der Abgleich ist beendet: Erfolgreich.');
    await goTo('Beschäftigte');
    // With Otto, who is on no roster.
    await see('1–25 von 65');
    await page.getByRole('combobox', { name: 'Integration' }).click();
    await page.getByRole('option', { name: 'Werk Süd' }).click();
    await see('1–3 von 3');
    await inspect(page, 'the employees of one site');
  });
});
