import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { setDelivery } from '../../../src/features/issuers/delivery.ts';
import { readIssuerSettings } from '../../../src/features/issuers/open-issuer.ts';
import { loadIssuerPage } from '../../../src/features/issuers/page.ts';
import { processOrders } from '../../../src/features/issuers/process.ts';
import { setIssuer, showIssuer } from '../../../src/features/issuers/settings.ts';
import { readEncryption } from '../../../src/platform/crypto/open-encryption.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { joinCompany, useFixture } from '../../support/daily-run.ts';
import { sftpUser, startFakeSftp } from '../../support/fake-hr/sftp.ts';
import { listOrderStates, operatorContext, runOrders, subscribeEmployees } from '../../support/issuers.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { useResource } from '../../support/prepare.ts';
import { startSmtpServer } from '../../support/smtp.ts';

const mailTo = 'orders@issuer.example';
const smtp = await startSmtpServer({ onMessage: (mail, index) => onMail?.(mail.subject, index) });
let onMail: ((subject: string, index: number) => number | undefined | Promise<undefined>) | undefined;

describe('order lists that are sent', () => {
  const fixture = useFixture('2026-02-10', false, {
    ...{ WEBHOOK_ALLOW_PRIVATE: 'on', MAIL_ALLOW: mailTo },
    ...smtp.env,
  });
  const server = useResource(startFakeSftp);
  useResource(async () => ({ close: smtp.stop }));
  beforeEach(() => {
    server.files.clear();
    server.writable.clear();
    server.writable.add('/in');
    server.onRename = undefined;
    onMail = undefined;
  });

  const settings = (change = {}) => ({
    ...{ kind: 'sftp' as const, format: 'csv' as const, host: '127.0.0.1', port: server.port, ...sftpUser },
    ...{ hostKey: server.hostKey, folder: '/in', returned: '/out/%Y-%m/*.csv', ...change },
  });
  const byMail = { kind: 'mail' as const, format: 'csv' as const, to: mailTo };

  /** Begins with orders for March, whose list waits to be written. */
  async function begin(delivery: Parameters<typeof setDelivery>[1] = settings()) {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture);
    const { companyId } = company;
    const employeeIds = await subscribeEmployees(fixture, companyId, 2);
    await company.runTo('2026-02-10');
    const context = operatorContext(fixture, companyId);
    await setIssuer(context, { issuer: 'order-list' });
    assert.deepEqual(await setDelivery(context, delivery), { isStored: true, problems: [] });
    await company.runTo('2026-02-15');
    return { ...company, employeeIds, context };
  }

  const sentFiles = () => [...server.files.keys()].filter((path) => path.startsWith('/in/'));
  const nameOf = (companyId: CompanyId, number = 1) => `/in/orders-${companyId}-2026-03-${number}.csv`;
  const filesOf = async (companyId: CompanyId) =>
    (await loadIssuerPage(fixture.app.serviceDb, companyId)).lists?.files ?? [];
  const sqlOn = (companyId: CompanyId, change: ReturnType<typeof sql>) =>
    sql`update order_files set ${change} where company_id = ${companyId}`.execute(fixture.app.db);
  /** Ends what a failure or a killed worker makes others wait for. */
  const endWaits = async (companyId: CompanyId) => {
    await sql`update issuer_settings set paused_until = null where company_id = ${companyId}`.execute(fixture.app.db);
    await sqlOn(companyId, sql`leased_until = null`);
  };
  const orderIds = async (companyId: CompanyId) => {
    const { rows } = await sql<{ orderId: string }>`select order_id as "orderId" from ticket_orders
      where company_id = ${companyId} and month = '2026-03-01' order by employee_id`.execute(fixture.app.db);
    return rows.map(({ orderId }) => orderId);
  };

  it('puts each list on the server once, complete under its name', async () => {
    const { companyId } = await begin();
    let names: string[] = [];
    server.onRename = () => {
      names = sentFiles();
      return undefined;
    };
    await runOrders(fixture, companyId);
    assert.deepEqual(sentFiles(), [nameOf(companyId)]);
    assert.ok(names.every((name) => name.endsWith('.part') || name === nameOf(companyId)));
    const text = server.files.get(nameOf(companyId))?.content.toString() ?? '';
    for (const id of await orderIds(companyId)) assert.ok(text.includes(id));
    const [file] = await filesOf(companyId);
    assert.deepEqual([file?.deliveredTo, file?.isDue, file?.problem], ['127.0.0.1', false, null]);
    // The issuer takes the file away: it does not come again.
    server.files.clear();
    await runOrders(fixture, companyId);
    assert.deepEqual(sentFiles(), []);
  });

  it('is sent once by workers that run at the same time', async () => {
    const { companyId } = await begin();
    let renames = 0;
    server.onRename = (_path, when) => {
      if (when === 'before') renames += 1;
      return undefined;
    };
    await Promise.all([runOrders(fixture, companyId), runOrders(fixture, companyId), runOrders(fixture, companyId)]);
    assert.deepEqual([renames, sentFiles()], [1, [nameOf(companyId)]]);
  });

  for (const when of ['before', 'after'] as const) {
    it(`is sent once although its worker is killed ${when} the file gets its name`, async () => {
      const { companyId } = await begin();
      const killed = new AbortController();
      server.onRename = (_path, at) => {
        if (at !== when) return undefined;
        killed.abort();
        return 'cut';
      };
      const { serviceDb: db, config, deps } = fixture.app;
      const issuers = readIssuerSettings(config, await readEncryption(config));
      const running = processOrders({ db, ...deps, clock: fixture.clock, issuers, signal: killed.signal }, companyId);
      await assert.rejects(running, { name: 'AbortError' });
      server.onRename = undefined;
      // Nobody has written down that it was sent. The issuer has already taken it away.
      if (when === 'after') server.files.delete(nameOf(companyId));
      await runOrders(fixture, companyId);
      assert.deepEqual((await filesOf(companyId))[0]?.deliveredAt, null);
      await endWaits(companyId);
      await runOrders(fixture, companyId);
      assert.deepEqual(sentFiles(), when === 'before' ? [nameOf(companyId)] : []);
      assert.notEqual((await filesOf(companyId))[0]?.deliveredAt, null);
    });
  }

  it('waits with its reason while the server fails, and is sent afterwards', async () => {
    const { companyId } = await begin();
    server.writable.clear();
    server.write('/in/readme.txt', 'other');
    await runOrders(fixture, companyId);
    const { failingSince, lastError } = await showIssuer({ db: fixture.app.serviceDb, companyId });
    assert.notEqual(failingSince, null);
    assert.equal(lastError?.key, 'sftp-write-forbidden');
    const [file] = await filesOf(companyId);
    assert.deepEqual([file?.problem?.key, file?.isDue, file?.deliveredAt], ['sftp-write-forbidden', true, null]);
    server.writable.add('/in');
    await endWaits(companyId);
    await runOrders(fixture, companyId);
    assert.ok(server.files.has(nameOf(companyId)));
    assert.equal((await showIssuer({ db: fixture.app.serviceDb, companyId })).failingSince, null);
  });

  it('never replaces a file that is there', async () => {
    const { companyId } = await begin();
    server.write(nameOf(companyId), 'theirs');
    await runOrders(fixture, companyId);
    assert.equal(server.files.get(nameOf(companyId))?.content.toString(), 'theirs');
    assert.equal((await filesOf(companyId))[0]?.problem?.key, 'sftp-incomplete');
  });

  it('comes back: what is complete is fetched and applied once, what is unclear waits for a person', async () => {
    const { companyId } = await begin();
    await runOrders(fixture, companyId);
    const [a, b] = await orderIds(companyId);
    const text = `orderId;ticketNumber\n${a};T-1\nord-unknown;T-9\n`;
    server.write('/out/2026-03/march.csv', text, { announcedBytes: text.length + 500 });
    server.write('/out/2026-03/empty.csv', '');
    server.write('/out/2026-03/notes.csv', 'orderId;remark\n1;hello\n');
    await runOrders(fixture, companyId);
    // One is not complete yet, one is no list.
    const page = () => loadIssuerPage(fixture.app.serviceDb, companyId);
    const first = (await page()).lists;
    assert.deepEqual(first?.returned, []);
    assert.deepEqual(
      first?.unread.map(({ path, problem }) => [path, problem.key]),
      [['/out/2026-03/notes.csv', 'returned-without-tickets']],
    );
    server.write('/out/2026-03/march.csv', text);
    let reads = 0;
    server.onRead = (path) => {
      if (path.endsWith('march.csv')) reads += 1;
      return undefined;
    };
    await Promise.all([runOrders(fixture, companyId), runOrders(fixture, companyId)]);
    const readTwiceAtMost = reads;
    server.write('/out/2026-03/march-again.csv', text);
    await runOrders(fixture, companyId);
    assert.equal(reads, readTwiceAtMost);
    const { lists } = await page();
    assert.deepEqual(
      lists?.returned.map(({ origin, issued, open }) => [origin, issued, open]),
      [['sftp', 1, 1]],
    );
    assert.deepEqual(
      (await listOrderStates(fixture, companyId)).map((state) => state.split(' ')[3]),
      ['issued', 'ordered'],
    );
    server.write('/out/2026-03/rest.csv', `orderId;ticketNumber\n${b};T-2\n`);
    await runOrders(fixture, companyId);
    assert.deepEqual(
      (await listOrderStates(fixture, companyId)).map((state) => state.split(' ')[3]),
      ['issued', 'issued'],
    );
  });

  it('goes out by mail once, with the same message id after a failure', async () => {
    const { companyId } = await begin(byMail);
    const before = smtp.received.length;
    onMail = () => 451;
    await runOrders(fixture, companyId);
    assert.equal((await filesOf(companyId))[0]?.problem?.key, 'delivery-mail-failed');
    onMail = undefined;
    await endWaits(companyId);
    await Promise.all([runOrders(fixture, companyId), runOrders(fixture, companyId)]);
    await runOrders(fixture, companyId);
    const [failed, sent, ...others] = smtp.received.slice(before);
    assert.deepEqual([others.length, sent?.messageId], [0, failed?.messageId]);
    assert.match(sent?.subject ?? '', /^Bestellliste März 2026, Nr. 1: /);
    assert.match(sent?.text ?? '', new RegExp(`filename=orders-${companyId}-2026-03-1.csv`));
    assert.equal((await filesOf(companyId))[0]?.deliveredTo, mailTo);
  });

  it('shows what this environment does not mail, and sends it when somebody says so', async () => {
    const { companyId, context } = await begin(byMail);
    const stranger = { ...byMail, to: 'stranger@elsewhere.example' };
    const refused = await setDelivery(context, stranger);
    assert.deepEqual([refused.isStored, refused.problems[0]?.key], [false, 'delivery-mail-not-allowed']);
    await sql`update issuer_settings set delivery_settings = ${JSON.stringify(stranger)}::jsonb
      where company_id = ${companyId}`.execute(fixture.app.db);
    const before = smtp.received.length;
    await runOrders(fixture, companyId);
    const [file] = await filesOf(companyId);
    assert.deepEqual([file?.problem?.key, file?.isDue], ['delivery-mail-not-allowed', false]);
    assert.equal(smtp.received.length, before);
    await setDelivery(context, byMail);
    const client = await signIn(fixture.app, await makeUser(fixture.app, companyId, 'hr'));
    assert.equal((await client.post('/issuer/order-files/2026-03/1/deliveries', undefined)).status, 204);
    await runOrders(fixture, companyId);
    assert.equal(smtp.received.length, before + 1);
    assert.equal((await client.post('/issuer/order-files/2026-03/1/deliveries', undefined)).status, 404);
  });

  it('is set up in the portal, which says what is wrong and keeps the secret', async () => {
    const { companyId } = await begin({ kind: 'none' });
    await runOrders(fixture, companyId);
    assert.deepEqual(sentFiles(), []);
    const client = await signIn(fixture.app, await makeUser(fixture.app, companyId, 'admin'));
    const set = (change = {}) => client.post('/issuer/delivery', settings(change));
    const problemOf = async (change: object) => (await set(change)).body.data.problems[0]?.key;
    assert.equal(await problemOf({ hostKey: 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU' }), 'sftp-host-key');
    assert.equal(await problemOf({ password: 'wrong' }), 'sftp-refused');
    assert.equal(await problemOf({ folder: '/elsewhere' }), 'sftp-incomplete');
    assert.equal(await problemOf({ returned: '/gone/%Y%m.csv' }), 'sftp-incomplete');
    const unclear = await set({ returned: '/out/*.csv' });
    assert.deepEqual([unclear.status, unclear.body.errors[0].pointer], [400, '/returned']);
    // Lists that are uploaded need no folder on the server.
    assert.deepEqual((await set({ returned: null })).body.data, { isStored: true, problems: [] });
    assert.deepEqual((await set()).body.data, { isStored: true, problems: [] });
    // The secret stays with its server, and is shown to nobody.
    assert.deepEqual((await set({ password: null })).body.data, { isStored: true, problems: [] });
    const moved = await set({ password: null, host: 'localhost' });
    assert.deepEqual([moved.status, moved.body.errors[0].message.key], [400, 'delivery-secret-again']);
    const shown = await client.get('/issuer');
    assert.equal(shown.body.data.settings.delivery.host, '127.0.0.1');
    assert.ok(!JSON.stringify(shown.body).includes(sftpUser.password));
    assert.deepEqual((await client.post('/issuer/delivery/check', undefined)).body.data.problems, []);
    // A list from before is sent only if somebody says so.
    await runOrders(fixture, companyId);
    assert.deepEqual(sentFiles(), []);
    await client.post('/issuer/order-files/2026-03/1/deliveries', undefined);
    await runOrders(fixture, companyId);
    assert.deepEqual(sentFiles(), [nameOf(companyId)]);
    const hr = await signIn(fixture.app, await makeUser(fixture.app, companyId, 'hr'));
    assert.equal((await hr.post('/issuer/delivery', { kind: 'none' })).status, 403);
  });
});
