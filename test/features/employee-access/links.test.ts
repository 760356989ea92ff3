import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { nameEmployeeMail } from '../../../src/features/employee-mails/queue.ts';
import { readEncryption } from '../../../src/platform/crypto/open-encryption.ts';
import { asCompanyId, type CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useApp } from '../../support/app.ts';
import { commandsIn } from '../../support/commands.ts';
import { makeCompany, makeEmployee } from '../../support/factories.ts';
import { makeAccessLink, myClient, signInEmployee, tokenOf } from '../../support/my.ts';
import { pluck } from '../../support/pluck.ts';
import { cookiesOf } from '../../support/portal.ts';
import { rowsOf, updateRows } from '../../support/rows.ts';
import { until } from '../../support/until.ts';

const app = useApp({ worker: 'without documents' });

/** Returns the mails with links that an address was sent. */
const mailsTo = (recipient: string) => rowsOf(app.db, 'employee_mails', { recipient, kind: 'access-link' });

/** Returns the token of the link that was mailed to an address. */
async function linkTo(recipient: string): Promise<string> {
  await until(`a mail to ${recipient} was written`, async () => (await mailsTo(recipient)).length > 0);
  const [mail] = await mailsTo(recipient);
  assert(mail);
  const { company_id: companyId, employee_id: employeeId, occasion, encrypted_values: values } = mail;
  const name = nameEmployeeMail(asCompanyId(companyId), { employeeId, kind: 'access-link', occasion });
  const { url } = JSON.parse((await readEncryption(app.config)).decrypt(values ?? '', name)) as { url: string };
  return tokenOf(url);
}

describe('a mailed link', () => {
  let company: CompanyId;
  before(async () => {
    company = await makeCompany(app.db, 'Acme');
  });

  it('lets in once, in the browser that asked for it', async () => {
    const id = await makeEmployee(app.db, company, { email: 'Eva.Link@example.com', first_name: 'Eva' });
    const asked = await myClient(app).post('/access/link', { email: 'eva.link@EXAMPLE.com ' });
    assert.equal(asked.status, 204, asked.bytes.toString());
    const token = await linkTo('Eva.Link@example.com');
    const elsewhere = await myClient(app).post('/access/open', { token });
    assert.equal(elsewhere.status, 401);
    assert.equal(elsewhere.body.message.key, 'access-link-other-browser');
    // Reading the address, as a scanner of mails does, has no effect.
    assert.equal((await myClient(app).get(`/access/open?token=${token}`)).status, 405);
    const browser = myClient(app, cookiesOf(asked));
    const opened = await browser.post('/access/open', { token });
    assert.equal(opened.status, 204, opened.bytes.toString());
    assert.match(
      opened.headers.getSetCookie().join(),
      /^transit\.my=\d+\.[\w-]{43}; Path=\/my; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
    );
    assert.equal((await browser.post('/access/open', { token })).body.message.key, 'access-link-invalid');
    const session = await myClient(app, cookiesOf(opened)).get('/session');
    assert.equal(session.status, 200, session.bytes.toString());
    assert.equal(session.body.data.employee.firstName, 'Eva');
    assert.deepEqual(session.body.data.employments, [{ id: company, companyName: 'Acme', isCurrent: true }]);
    const entries = await rowsOf(app.db, 'audit_log', { company_id: company, target: String(id) }, ['action', 'actor']);
    assert.deepEqual(
      entries.filter(({ action }) => action.startsWith('employee.')).map(({ action }) => action),
      ['employee.mail-access-link', 'employee.sign-in'],
    );
  });

  it('opens the employments at both employers, which end on their own', async () => {
    const other = await makeCompany(app.db, 'Zebra');
    const email = 'two.jobs@example.com';
    await makeEmployee(app.db, company, { email });
    const second = await makeEmployee(app.db, other, { email });
    const asked = await myClient(app).post('/access/link', { email });
    const opened = await myClient(app, cookiesOf(asked)).post('/access/open', { token: await linkTo(email) });
    assert.equal(opened.status, 204, opened.bytes.toString());
    const client = myClient(app, cookiesOf(opened));
    assert.equal((await mailsTo(email)).length, 1);
    const { employments, company: first } = (await client.get('/session')).body.data;
    assert.deepEqual(pluck(employments, 'companyName'), ['Acme', 'Zebra']);
    assert.equal(first.name, 'Acme');
    assert.equal((await client.post('/session/employment', { id: 999_999 })).status, 404);
    const switched = await client.post('/session/employment', { id: other });
    assert.equal(switched.status, 204);
    const switchedClient = myClient(app, cookiesOf(switched));
    assert.equal((await switchedClient.get('/session')).body.data.company.name, 'Zebra');
    assert.equal((await switchedClient.get('/sessions')).body.data.length, 1);
    await updateRows(app.db, 'employees', { company_id: other, id: second }, { removed_at: '2026-11-01T00:00:00Z' });
    const left = (await switchedClient.get('/session')).body.data;
    assert.deepEqual(pluck(left.employments, 'companyName'), ['Acme']);
    assert.equal(left.company.name, 'Acme');
  });
});

describe('a link that is passed on', () => {
  let company: CompanyId;
  let employee: number;
  before(async () => {
    company = await makeCompany(app.db);
    employee = await makeEmployee(app.db, company);
  });

  it('opens in any browser, once, also for two at the same time', async () => {
    const token = tokenOf(await makeAccessLink(app, company, employee));
    const responses = await Promise.all([1, 2, 3].map(() => myClient(app).post('/access/open', { token })));
    assert.deepEqual(pluck(responses, 'status').sort(), [204, 401, 401]);
  });

  it('comes from the command line', async () => {
    const env = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir };
    const run = commandsIn(env);
    const { url } = await run.succeed(
      'employee',
      'access-link',
      '--company',
      String(company),
      '--employee',
      String(employee),
    );
    assert.match(url, /^http:\/\/localhost:3000\/my\/enter#\d+\.[\w-]{43}$/);
    assert.equal((await myClient(app).post('/access/open', { token: tokenOf(url) })).status, 204);
    const refusal = await run.fail('employee', 'access-link', '--company', String(company), '--employee', '999999');
    assert.match(refusal, /employee/);
  });

  it('expires', async () => {
    const token = tokenOf(await makeAccessLink(app, company, employee));
    await updateRows(app.db, 'employee_access_links', { company_id: company }, { expires_at: '2020-01-01T00:00:00Z' });
    assert.equal((await myClient(app).post('/access/open', { token })).status, 401);
  });
});

describe('the sessions of an employee', () => {
  let company: CompanyId;
  before(async () => {
    company = await makeCompany(app.db);
  });

  it('are listed and ended one by one, or all at once', async () => {
    const employee = await makeEmployee(app.db, company);
    const client = await signInEmployee(app, company, employee);
    const clients = [
      client,
      await signInEmployee(app, company, employee),
      await signInEmployee(app, company, employee),
    ];
    const listed = (await client.get('/sessions')).body.data as { id: string; isCurrent: boolean }[];
    assert.equal(listed.length, 3);
    assert.equal(listed.filter(({ isCurrent }) => isCurrent).length, 1);
    const foreign = listed.find(({ isCurrent }) => !isCurrent);
    assert.equal((await client.delete(`/sessions/${foreign?.id}`)).status, 204);
    assert.equal((await client.delete(`/sessions/${foreign?.id}`)).status, 404);
    assert.equal((await client.get('/sessions')).body.data.length, 2);
    const left = await Promise.all(clients.map((one) => one.get('/session')));
    assert.deepEqual(pluck(left, 'status').sort(), [200, 200, 401]);
    assert.equal((await client.post('/sign-out-everywhere')).status, 204);
    for (const one of clients) assert.equal((await one.get('/session')).status, 401);
  });

  it('end by signing out, and by another sign-in of the browser', async () => {
    const employee = await makeEmployee(app.db, company);
    const first = await signInEmployee(app, company, employee);
    const token = tokenOf(await makeAccessLink(app, company, employee));
    const second = myClient(app, cookiesOf(await first.post('/access/open', { token })));
    assert.equal((await first.get('/session')).status, 401);
    assert.equal((await second.get('/session')).status, 200);
    const out = await second.post('/sign-out');
    assert.match(out.headers.getSetCookie().join(), /^transit\.my=; .*Max-Age=0/);
    assert.equal((await second.get('/session')).status, 401);
    assert.equal((await second.post('/sign-out')).status, 204);
  });
});
