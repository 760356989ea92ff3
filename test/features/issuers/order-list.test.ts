import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { blockTicket } from '../../../src/features/issuers/block-ticket.ts';
import { showIssuerByOperator } from '../../../src/features/issuers/operate.ts';
import { exportOrders, importOrders } from '../../../src/features/issuers/operate-lists.ts';
import { loadIssuerPage } from '../../../src/features/issuers/page.ts';
import { resolveRow } from '../../../src/features/issuers/returned-files.ts';
import { setIssuer } from '../../../src/features/issuers/settings.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { readWorkbook } from '../../../src/platform/table/read-workbook.ts';
import { joinCompany, useFixture } from '../../support/daily-run.ts';
import { listOrderStates, operatorContext, runOrders, subscribeEmployees } from '../../support/issuers.ts';
import { makeUser, signIn } from '../../support/portal.ts';

describe('an issuer that takes lists', () => {
  const fixture = useFixture('2026-02-10', false, { WEBHOOK_ALLOW_PRIVATE: 'on' });
  const march = Temporal.PlainDate.from('2026-03-01');
  const april = Temporal.PlainDate.from('2026-04-01');
  let folder = '';
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orders-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function begin({ count = 3, mapping }: { count?: number; mapping?: unknown } = {}) {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture);
    const { companyId } = company;
    const employeeIds = await subscribeEmployees(fixture, companyId, count);
    await company.runTo('2026-02-10');
    await setIssuer(operatorContext(fixture, companyId), { issuer: 'order-list', mapping });
    await company.runTo('2026-02-15');
    await runOrders(fixture, companyId);
    return { ...company, employeeIds };
  }

  /** Returns the cells of an exported list, without its headings, and the headings. */
  async function exported(companyId: CompanyId, month = march) {
    const file = join(folder, `${companyId}.csv`);
    const counts = await exportOrders(operatorContext(fixture, companyId), { month, file });
    const [headings = [], ...rows] = (await readFile(file, 'utf8'))
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(';'));
    return { counts, headings, rows };
  }

  async function importText(companyId: CompanyId, text: string, { month = march, dryRun = false } = {}) {
    const file = join(folder, `returned-${files++}.csv`);
    await writeFile(file, text);
    return importOrders(operatorContext(fixture, companyId), { month, file, dryRun });
  }

  const ordersOf = async (companyId: CompanyId, month = march) => {
    const { rows } = await sql<{ orderId: string; first: string; last: string }>`
      select o.order_id as "orderId", o.first_name as first, o.last_name as last from ticket_orders o
      where o.company_id = ${companyId} and o.month = ${month.toString()}::date order by o.employee_id, o.attempt`.execute(
      fixture.app.db,
    );
    return rows;
  };

  const ticketsOf = async (companyId: CompanyId) => {
    const { rows } = await sql<{ text: string }>`
      select concat_ws(' ', t.issuer_number, t.chip_card_number, t.activation_code) as text from tickets t
      where t.company_id = ${companyId} and t.month = '2026-03-01' order by t.employee_id`.execute(fixture.app.db);
    return rows.map(({ text }) => text);
  };

  it('gets everybody in a file before the cut-off, and later only what has changed', async () => {
    const { companyId, employeeIds, runTo } = await begin();
    assert.deepEqual(
      await listOrderStates(fixture, companyId),
      employeeIds.map((id) => `${id} 2026-03 1 ordered`),
    );
    const { counts, headings, rows } = await exported(companyId);
    assert.deepEqual(counts, { ...counts, orders: 3, new: 3, continuing: 0, changed: 0, ended: 0 });
    assert.deepEqual(headings.slice(0, 3), ['section', 'orderId', 'previousOrderId']);
    assert.deepEqual(
      rows.map(([section, orderId]) => [section, orderId]).toSorted(),
      (await ordersOf(companyId)).map(({ orderId }) => ['new', orderId]).toSorted(),
    );
    await runOrders(fixture, companyId);
    await exported(companyId);
    const files = async () => (await loadIssuerPage(fixture.app.serviceDb, companyId)).lists?.files;
    assert.deepEqual(
      (await files())?.map(({ number, sections }) => [number, sections.new]),
      [[1, 3]],
    );
    // One is blocked, one joins.
    const [first = 0, second = 0] = employeeIds;
    await writeCompany(fixture.app.serviceDb, companyId, (tx) =>
      blockTicket(
        tx,
        companyId,
        { employeeId: first, month: march, reason: 'left' },
        operatorContext(fixture, companyId).by,
      ),
    );
    await subscribeEmployees(fixture, companyId, 1);
    await runTo('2026-02-16');
    await runOrders(fixture, companyId);
    const [newest] = (await files()) ?? [];
    assert.deepEqual([newest?.number, newest?.sections], [2, { new: 0, continuing: 1, changed: 0, ended: 1 }]);
    // The next month: one continues, one has another name, one is no longer there.
    await importText(
      companyId,
      `orderId;ticketNumber\n${(await ordersOf(companyId))
        .slice(1)
        .map(({ orderId }, index) => `${orderId};T${index}`)
        .join('\n')}`,
    );
    await runTo('2026-03-02');
    await sql`update employees set last_name = 'Neu' where company_id = ${companyId} and id = ${second}`.execute(
      fixture.app.db,
    );
    await sql`update employees set subscription_status = 'no-subscription', next_ticket_on = null
      where company_id = ${companyId} and id = ${employeeIds[2] ?? 0}`.execute(fixture.app.db);
    await runTo('2026-03-15');
    await runOrders(fixture, companyId);
    const next = await exported(companyId, april);
    assert.deepEqual(
      next.rows.map(([section]) => section).filter((section) => section !== 'new'),
      ['continuing', 'changed', 'ended'],
    );
  });

  it('returns tickets, which are checked, put into force on the first and billed once', async () => {
    const { companyId, runTo, items } = await begin({ count: 4 });
    const [a, b, c, d] = await ordersOf(companyId);
    const text = `Bestellnummer;Ticketnummer;Chipkarte;Aktivierungscode\n${a?.orderId};T-1;;\n${b?.orderId};;CARD 7;\n${c?.orderId};;;ABC-1\n${d?.orderId};T-1;;\n`;
    const preview = await importText(companyId, text, { dryRun: true });
    assert.deepEqual(preview, { ...preview, rows: 4, issued: 3, failed: 1, open: 0 });
    const [one, other] = await Promise.all([importText(companyId, text), importText(companyId, text)]);
    assert.deepEqual(
      [one, other].map(({ rows }) => rows),
      [4, 4],
    );
    const again = await importText(companyId, text);
    assert.deepEqual([again.rows, again.open], [4, 0]);
    assert.deepEqual(
      (await listOrderStates(fixture, companyId)).map((state) => state.split(' ').slice(3).join(' ')),
      ['issued', 'issued', 'issued', 'failed mismatch'],
    );
    // The corrected list has the right one.
    const corrected = await importText(companyId, `${text.replace(/T-1;;\n$/, 'T-2;;\n')}`);
    assert.deepEqual([corrected.issued, corrected.unchanged, corrected.failed], [1, 3, 0]);
    await runTo('2026-03-01');
    assert.deepEqual(await ticketsOf(companyId), ['T-1', 'CARD 7 CARD 7', 'ABC-1 ABC-1', 'T-2']);
    const charged = (await items('2026-03-01')).filter(({ charge }) => charge.type === 'ticket-charge');
    assert.equal(charged.length, 4);
  });

  it('leaves rows to a person that belong to nobody for certain', async () => {
    const { companyId, employeeIds } = await begin({ count: 3 });
    const [first = 0, second = 0, third = 0] = employeeIds;
    await sql`update ticket_orders set last_name = 'Übermut' where company_id = ${companyId} and employee_id = ${second}`.execute(
      fixture.app.db,
    );
    await sql`insert into hr_links (company_id, employee_id, hr_id) values (${companyId}, ${first}, 'HR-1')`.execute(
      fixture.app.db,
    );
    const [, b] = await ordersOf(companyId);
    const text = [
      'order number,hr id,first name,last name,date of birth,ticket number',
      ',HR-1,,,,T-1',
      `,,${b?.first},UEBERMUT,17.05.1990,T-2`,
      'ord-unknown,,,,,T-3',
      '',
    ].join('\n');
    const imported = await importText(companyId, text);
    assert.deepEqual([imported.issued, imported.open], [1, 2]);
    const open = async () => (await loadIssuerPage(fixture.app.serviceDb, companyId)).lists?.open ?? [];
    const listed = await open();
    assert.deepEqual(
      listed.map(({ row, message }) => [row, message.key]),
      [
        [3, 'returned-confirm'],
        [4, 'returned-unknown-order'],
      ],
    );
    assert.equal(listed[0]?.suggestedId, second);
    const { by } = operatorContext(fixture, companyId);
    const resolve = (rowId: number, employeeId: number | undefined) =>
      writeCompany(fixture.app.serviceDb, companyId, (tx) => resolveRow(tx, companyId, { rowId, employeeId }, by));
    const [confirm, unknown] = listed.map(({ id }) => id);
    assert.deepEqual(await resolve(confirm ?? 0, second), { message: null });
    await assert.rejects(resolve(confirm ?? 0, second), { code: 'not-found' });
    await assert.rejects(resolve(unknown ?? 0, second), { code: 'invalid-order-list' });
    const both = await Promise.allSettled([resolve(unknown ?? 0, third), resolve(unknown ?? 0, third)]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    assert.deepEqual(await open(), []);
    assert.deepEqual(
      (await listOrderStates(fixture, companyId)).map((state) => state.split(' ')[3]),
      ['issued', 'issued', 'issued'],
    );
  });

  it('has lists with its own columns, also as Excel', async () => {
    const mapping = {
      columns: [
        { heading: 'Vertrag', value: '4711' },
        { heading: 'Art', field: 'section' },
        { heading: 'Bestellung', field: 'orderId' },
        { heading: 'Geboren', field: 'dateOfBirth' },
      ],
      sections: { new: 'N' },
      dates: 'german',
      returned: { orderId: 'Bestellung', chipCardNumber: 'Karte' },
    };
    const { companyId } = await begin({ count: 1, mapping });
    const file = join(folder, 'orders.xlsx');
    await exportOrders(operatorContext(fixture, companyId), { month: march, file });
    const rows = await readWorkbook(await readFile(file));
    const [order] = await ordersOf(companyId);
    assert.deepEqual(
      rows.map(({ cells }) => cells),
      [
        ['Vertrag', 'Art', 'Bestellung', 'Geboren'],
        ['4711', 'N', order?.orderId, '17.05.1990'],
      ],
    );
    const { issued } = await importText(companyId, `Bestellung;Karte\n${order?.orderId};9280 1\n`);
    assert.equal(issued, 1);
    const wrong = { columns: [{ heading: 'Name', field: 'lastName' }] };
    const set = setIssuer(operatorContext(fixture, companyId), { issuer: 'order-list', mapping: wrong });
    await assert.rejects(set, /orderId/);
  });

  it('says how many orders are open for which reason, and who must act', async () => {
    const { companyId } = await begin({ count: 5 });
    const [a, b, c] = await ordersOf(companyId);
    const lines = [`${a?.orderId};no subscription`, `${b?.orderId};address is missing`, `${c?.orderId};`];
    await importText(companyId, `orderId;problem\n${lines.join('\n')}\n`);
    const { openGroups, openOrders } = await loadIssuerPage(fixture.app.serviceDb, companyId);
    assert.deepEqual(
      openGroups.map(({ month, state, orders, responsible, message }) => [
        ...[month, state, orders, responsible, message.key],
      ]),
      [
        ['2026-03', 'failed', 2, 'hr', 'summary-returned'],
        ['2026-03', 'ordered', 3, null, 'summary-ordered'],
      ],
    );
    assert.equal(openOrders.length, 5);
    const { open } = await showIssuerByOperator(operatorContext(fixture, companyId));
    assert.deepEqual(
      open.map(({ orders, reason }) => [orders, reason]),
      [
        [2, 'The list of the issuer says that there is no ticket. Read why below, then order again.'],
        [3, 'Ordered, but their tickets have not come yet. Ask the issuer if this lasts.'],
      ],
    );
  });

  it('refuses files that are no returned list, naming what is missing', async () => {
    const { companyId } = await begin({ count: 1 });
    await assert.rejects(importText(companyId, 'orderId;lastName\nord-1;Neu\n'), /ticket numbers/);
    await assert.rejects(importText(companyId, 'ticketNumber\nT-1\n'), /order numbers/);
    await assert.rejects(importText(companyId, ''), /empty/);
  });

  it('is handled by HR in the portal', async () => {
    const { companyId, employeeIds } = await begin({ count: 2 });
    const client = await signIn(fixture.app, await makeUser(fixture.app, companyId, 'hr'));
    const [a, b] = await ordersOf(companyId);
    const download = await client.get('/issuer/order-files/2026-03/csv?number=1');
    assert.equal(download.status, 200);
    assert.match(String(download.headers.get('content-disposition')), /orders-2026-03-1\.csv/);
    assert.equal((await client.get('/issuer/order-files/2026-03/csv?number=7')).status, 404);
    const csv = { 'content-type': 'text/csv' };
    const text = `orderId;ticketNumber\n${a?.orderId};T-1\nord-none;T-2\n`;
    const preview = await client.post('/issuer/returned-lists/preview?month=2026-03', text, csv);
    assert.deepEqual([preview.status, preview.body.data.issued, preview.body.data.open], [200, 1, 1]);
    assert.deepEqual((await client.get('/issuer')).body.data.lists.returned, []);
    const applied = await client.post('/issuer/returned-lists?month=2026-03&fileName=March.csv', text, csv);
    assert.deepEqual([applied.status, applied.body.data.issued, applied.body.data.open], [200, 1, 1]);
    const { lists } = (await client.get('/issuer')).body.data;
    assert.deepEqual(
      lists.waiting.filter((one: { month: string }) => one.month === '2026-03'),
      [{ employeeId: employeeIds[1], name: `${b?.first} ${b?.last}`, month: '2026-03' }],
    );
    const [row] = lists.open;
    const assigned = await client.post(`/issuer/returned-rows/${row.id}`, { employeeId: employeeIds[1] });
    assert.deepEqual([assigned.status, assigned.body.data], [200, { message: null }]);
    assert.equal((await client.post(`/issuer/returned-rows/${row.id}`, { employeeId: null })).status, 404);
    const notTable = await client.post('/issuer/returned-lists?month=2026-03', '%PDF-1.7', csv);
    assert.deepEqual([notTable.status, notTable.body.code], [422, 'invalid-order-list']);
    const viewer = await signIn(fixture.app, await makeUser(fixture.app, companyId, 'viewer'));
    assert.equal((await viewer.post('/issuer/returned-lists?month=2026-03', text, csv)).status, 403);
  });
});
