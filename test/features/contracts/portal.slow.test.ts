import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { operator } from '../../../src/domain/actor.ts';
import { lockCompany } from '../../../src/features/companies/companies.ts';
import { eraseEmployees } from '../../../src/features/employees/erase.ts';
import { insertBatch, runBatches } from '../../../src/features/subscriptions/batches/run.ts';
import { connectDatabase } from '../../../src/platform/db/database.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { anonymousClient, makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { useResource } from '../../support/prepare.ts';
import { startSmtpServer } from '../../support/smtp.ts';
import { entries, makePusher, type Pusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

interface Company extends Pusher {
  client: PortalClient;
  ids: number[];
}

describe('contracts in the portal', () => {
  const app = useApp({ worker: 'without documents' });

  async function makeSigningCompany(count: number): Promise<Company> {
    const pusher = await makePusher(app);
    await sql`update companies set plan_type = 'split-pay-plan', contribution_cents = 2000
      where id = ${pusher.companyId}`.execute(app.db);
    await pusher.sync('first', entries(count, { autoSyncEmployee: true }));
    const client = await signIn(app, await makeUser(app, pusher.companyId));
    const ids = (await pusher.employees()).map(({ id }: { id: number }) => id);
    return { ...pusher, client, ids };
  }

  const statuses = async ({ companyId }: Company) => {
    const { rows } = await sql<{ status: string; count: number }>`
      select contract_status as status, count(*) as count from employees where company_id = ${companyId}
      group by 1 order by 1`.execute(app.db);
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  };
  const audited = async ({ companyId }: Company, action: string) => {
    const { rows } = await sql<{ detail: Record<string, unknown> }>`
      select detail from audit_log where company_id = ${companyId} and action = ${action}`.execute(app.db);
    return rows.map(({ detail }) => detail);
  };

  const makeLink = async ({ client }: Company, id: number | undefined): Promise<string> => {
    const { body } = await client.post('/contracts/links', { employeeIds: [id] });
    const [link] = body.data.links;
    assert.match(link.url, /\/sign\/\d+\.[\w-]{43}$/);
    return link.url.split('/').at(-1);
  };

  describe('a decision about many', () => {
    it('covers more than 20,000 employees that match a filter', async () => {
      const { client, companyId, ids } = await makeSigningCompany(1);
      const count = 20_100;
      await sql`
        insert into employees (company_id, first_name, last_name, email, email_key, search_text, subscription_status,
          start_on, next_ticket_on, due_on, plan_type, contract_status, contribution_cents)
        select e.company_id, e.first_name, e.last_name, n || e.email, n || e.email_key, e.search_text,
          e.subscription_status, e.start_on, e.next_ticket_on, e.due_on, e.plan_type, e.contract_status,
          e.contribution_cents
        from employees e, generate_series(1, ${count}::integer) n
        where e.company_id = ${companyId} and e.id = ${ids[0]}`.execute(app.db);
      const filter = { contractStatuses: ['pending'] };
      const { body } = await client.post('/contracts/decisions/preview', { decision: 'contract-accepted', filter });
      assert.deepEqual([body.data.employees, body.data.applicable], [count + 1, count + 1]);
    });

    it('applies to all that match, each once, and reports its progress', async () => {
      const company = await makeSigningCompany(130);
      const { client, ids } = company;
      const listed = await client.get('/employees?contractStatuses=pending&perPage=1');
      assert.equal(listed.body.data.total, 130);
      const decide = { decision: 'contract-accepted', filter: { contractStatuses: ['pending'] } };
      const preview = await client.post('/contracts/decisions/preview', decide);
      // 130 × 59.85, and 1.50 each with 19 % VAT.
      const effects = { begin: 130, awaitingConsent: 0, end: 0, resume: 0, pause: 0, monthlyCents: 801_255 };
      assert.deepEqual(preview.body.data, { employees: 130, applicable: 130, effects, refusals: [] });
      const wrong = await client.post('/contracts/decisions', { ...decide, confirm: 129 });
      assert.deepEqual([wrong.status, wrong.body.code], [409, 'confirmation-mismatch']);
      const consent = { given: 'on-paper', on: '2026-11-02' };
      const late = await client.post('/contracts/decisions', {
        ...{ ...decide, confirm: 130 },
        consent: { ...consent, on: '2026-11-16' },
      });
      assert.deepEqual([late.status, late.body.errors[0].pointer], [400, '/consent/on'], 'not in the future');
      const { status, body } = await client.post('/contracts/decisions', { ...decide, consent, confirm: 130 });
      assert.equal(status, 202);
      const progress = async () => (await client.get(`/subscription-batches/${body.data.id}`)).body.data;
      await until('the decision is applied', async () => (await progress()).finishedAt !== null);
      const batch = await progress();
      assert.deepEqual([batch.total, batch.decided, batch.refused], [130, 130, 0]);
      assert.deepEqual(await statuses(company), { accepted: 130 });
      const entries = await audited(company, 'subscription.contract-accepted');
      assert.equal(entries.length, 130);
      for (const { given, givenOn } of entries) assert.deepEqual([given, givenOn], ['on-paper', '2026-11-02']);
      const { rows } = await sql<{ content: Record<string, unknown> }>`select content from documents
        where company_id = ${company.companyId} and kind = 'contribution-agreement'`.execute(app.db);
      assert.equal(rows.length, 130);
      const [{ content } = { content: {} }] = rows;
      const { agreedOn, consent: printed, ticketCents, cutOffDay } = content;
      assert.deepEqual([agreedOn, ticketCents, cutOffDay], ['2026-11-02', 5985, 10]);
      const { given, isOwn, recordedBy } = printed as Record<string, unknown>;
      assert.deepEqual([given, isOwn], ['on-paper', false]);
      assert.match(String(recordedBy), /^User /);
      const again = await client.post('/contracts/decisions/preview', { ...decide, filter: {}, employeeIds: ids });
      assert.deepEqual(again.body.data.refusals, [{ code: 'already-decided', employees: 130 }]);
    });

    it('continues after it was killed, and decides about each employee once', async () => {
      const { companyId, ids, client } = await makeSigningCompany(350);
      const batch = { action: 'contract-accepted' as const, employeeIds: ids, actor: operator };
      const silent = { ...app.deps, queue: { ...app.deps.queue, enqueueContracts: async () => {} } };
      const id = await writeCompany(app.db, companyId, (tx) => insertBatch(tx, silent, companyId, batch));
      const decided = async () => (await client.get(`/subscription-batches/${id}`)).body.data.decided;
      const first = connectDatabase({ url: app.databaseUrl, max: 1, applicationName: 'killed' });
      const killed = assert.rejects(runBatches(first.db, app.deps, companyId));
      await until('some are decided', async () => (await decided()) > 0);
      await app.db.transaction().execute(async (tx) => {
        await lockCompany(tx, companyId);
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'killed' and datname = current_database()`.execute(tx);
        await killed;
      });
      await first.close();
      const before = await decided();
      assert(before > 0 && before < 350, `${before} were decided before`);
      await Promise.all([1, 2].map(() => runBatches(app.serviceDb, app.deps, companyId)));
      assert.equal(await decided(), 350);
      const { rows } = await sql<{ entries: number; employees: number }>`
        select count(*) as entries, count(distinct target) as employees from audit_log
        where company_id = ${companyId} and action = 'subscription.contract-accepted'`.execute(app.db);
      assert.deepEqual(rows, [{ entries: 350, employees: 350 }]);
    });

    it('is visible to its own company only', async () => {
      const company = await makeSigningCompany(1);
      const other = await makeSigningCompany(1);
      const decide = { decision: 'contract-rejected', employeeIds: company.ids };
      const preview = await other.client.post('/contracts/decisions/preview', decide);
      assert.equal(preview.body.data.applicable, 0);
      const { body } = await company.client.post('/contracts/decisions', { ...decide, confirm: 1 });
      assert.equal((await other.client.get(`/subscription-batches/${body.data.id}`)).status, 404);
      assert.equal((await other.client.post('/contracts/links', { employeeIds: company.ids })).body.data.created, 0);
    });
  });

  describe('links for many', () => {
    it('are created in steps, and each response says how many remain', async () => {
      const { client, ids } = await makeSigningCompany(5);
      await client.post(`/employees/${ids[0]}/decisions`, { decision: 'contract-accepted' });
      const create = async (more: object) =>
        (await client.post('/contracts/links', { filter: {}, limit: 3, ...more })).body.data;
      const first = await create({});
      assert.deepEqual([first.created, first.skipped, first.remaining], [3, 1, 1]);
      assert.equal(first.continueAfter, ids[3]);
      const second = await create({ after: first.continueAfter });
      assert.deepEqual([second.created, second.remaining, second.continueAfter], [1, 0, null]);
      const linked = [...first.links, ...second.links].map(({ employeeId }) => employeeId);
      assert.deepEqual(linked, ids.slice(1));
    });
  });

  describe('a personal link', () => {
    const anonymous = () => anonymousClient(app);

    it('shows the agreement and records a decision once, also twice at the same time', async () => {
      const company = await makeSigningCompany(1);
      const token = await makeLink(company, company.ids[0]);
      const { body, status } = await anonymous().get(`/signing/${token}`);
      assert.equal(status, 200, JSON.stringify(body));
      const { documentSha256, ...offer } = body.data;
      assert.deepEqual([offer.monthlyAmount.value, offer.contractStatus, offer.signature], [2000, 'pending', null]);
      const file = await anonymous().get(`/signing/${token}/agreement`);
      assert.equal(createHash('sha256').update(file.bytes).digest('hex'), documentSha256);
      assert.equal((await anonymous().get(`/signing/${token}`)).body.data.documentSha256, documentSha256);
      const changed = { decision: 'contract-accepted', documentSha256: '0'.repeat(64) };
      assert.equal((await anonymous().post(`/signing/${token}`, changed)).body.code, 'confirmation-mismatch');
      const accept = { decision: 'contract-accepted', documentSha256 };
      const both = await Promise.all([1, 2].map(() => anonymous().post(`/signing/${token}`, accept)));
      for (const one of both) {
        assert.deepEqual([one.status, one.body.data?.signature?.decision], [200, 'contract-accepted']);
      }
      assert.deepEqual(await statuses(company), { accepted: 1 });
      assert.deepEqual(await audited(company, 'employee.sign-contract'), [accept]);
      assert.equal((await audited(company, 'subscription.contract-accepted')).length, 1);
      const { history } = (await company.client.get(`/employees/${company.ids[0]}`)).body.data;
      const [change] = history;
      assert.deepEqual([change.actor.type, change.message.values.how], ['employee', 'consent-electronically']);
      const [entry] = (await company.client.get('/activity?action=employee.sign-contract')).body.data.data;
      assert.equal(entry.actorType, 'employee');
      const reject = { decision: 'contract-rejected', documentSha256 };
      assert.equal((await anonymous().post(`/signing/${token}`, reject)).body.code, 'decision-refused');
    });

    it('stops working when it is renewed or expires, and is stored as a hash only', async () => {
      const company = await makeSigningCompany(1);
      const first = await makeLink(company, company.ids[0]);
      const second = await makeLink(company, company.ids[0]);
      assert.equal((await anonymous().get(`/signing/${first}`)).status, 404);
      assert.equal((await anonymous().get(`/signing/${second}`)).status, 200);
      const [, secret = ''] = second.split('.');
      const { rows } = await sql<{ row: string }>`
        select l::text as row from signing_links l where company_id = ${company.companyId}`.execute(app.db);
      assert(!rows[0]?.row.includes(secret));
      await sql`update signing_links set expires_at = now() where company_id = ${company.companyId}`.execute(app.db);
      assert.equal((await anonymous().get(`/signing/${second}`)).status, 404);
      assert.equal((await anonymous().get(`/signing/${second}/agreement`)).status, 404);
    });

    /** Returns the files that were stored for the links of the company. */
    const filesOf = ({ companyId }: Company) => readdir(join(app.config.documentStore, `company-${companyId}`));
    const setAmount = ({ companyId }: Company, cents: number) =>
      sql`update employees set contribution_cents = ${cents} where company_id = ${companyId}`.execute(app.db);

    it('removes the file of an agreement that was replaced, unless it was signed', async () => {
      const company = await makeSigningCompany(1);
      const token = await makeLink(company, company.ids[0]);
      const open = async () => (await anonymous().get(`/signing/${token}`)).body.data.documentSha256;
      const both = await Promise.all([open(), open()]);
      assert.equal(both[0], both[1]);
      await until('the second file of the same terms is removed', async () => (await filesOf(company)).length === 1);
      const [replaced] = await filesOf(company);
      await setAmount(company, 2500);
      const documentSha256 = await open();
      assert.notEqual(documentSha256, both[0]);
      await until('the replaced file is removed', async () => (await filesOf(company)).length === 1);
      const [signed] = await filesOf(company);
      assert.notEqual(signed, replaced);
      await anonymous().post(`/signing/${token}`, { decision: 'contract-accepted', documentSha256 });
      await sql`update employees set contract_status = 'pending' where company_id = ${company.companyId}`.execute(
        app.db,
      );
      await setAmount(company, 3000);
      assert.notEqual(await open(), documentSha256);
      assert.equal((await filesOf(company)).length, 2);
      await writeCompany(app.db, company.companyId, (tx) =>
        eraseEmployees(tx, app.deps.queue, company.companyId, company.ids),
      );
      await until('no file is left', async () => (await filesOf(company)).length === 0);
    });

    it('does not open the agreement of another company, and nothing of it survives the erasure', async () => {
      const company = await makeSigningCompany(1);
      const other = await makeSigningCompany(1);
      const token = await makeLink(company, company.ids[0]);
      const [, secret] = token.split('.');
      assert.equal((await anonymous().get(`/signing/${other.companyId}.${secret}`)).status, 404);
      const { documentSha256 } = (await anonymous().get(`/signing/${token}`)).body.data;
      await anonymous().post(`/signing/${token}`, { decision: 'contract-rejected', documentSha256 });
      const removed: string[] = [];
      const queue = {
        enqueueFileRemoval: async (_tx: unknown, _company: unknown, keys: string[]) => void removed.push(...keys),
      };
      await app.db.transaction().execute((tx) => eraseEmployees(tx, queue, company.companyId, company.ids));
      assert.equal(removed.length >= 1, true);
      assert.equal((await anonymous().get(`/signing/${token}`)).status, 404);
    });
  });
});

describe('signing links by mail', () => {
  const server = useResource(startSmtpServer);
  const app = useApp(() => ({ env: { ...server.env, MAIL_ALLOW: '*@example.com' }, worker: 'without documents' }));

  it('reach each employee in the language of the company, and are not listed', async () => {
    const { companyId, ...pusher } = await makePusher(app);
    await sql`update companies set plan_type = 'split-pay-plan', contribution_cents = 2000, locale = 'de-DE'
      where id = ${companyId}`.execute(app.db);
    await pusher.sync('first', entries(2, { autoSyncEmployee: true }));
    const client = await signIn(app, await makeUser(app, companyId));
    const { body } = await client.post('/contracts/links', { filter: { contractStatuses: ['pending'] } });
    assert.deepEqual([body.data.created, body.data.mailed, body.data.links], [2, true, []]);
    await until('both mails have arrived', () => server.received.length === 2);
    const employees = await pusher.employees();
    const recipients = server.received.flatMap(({ to }) => to).toSorted();
    assert.deepEqual(recipients, employees.map(({ email }) => email).toSorted());
    for (const { subject, text, to } of server.received) {
      assert.match(subject, /^Ihre Vereinbarung über das Jobticket mit /);
      const token = /\/sign\/(\d+\.[\w-]{43})/.exec(text)?.[1];
      const offer = (await anonymousClient(app).get(`/signing/${token}`)).body.data;
      const { firstName } = employees.find(({ email }) => to.includes(email));
      assert.deepEqual([offer.firstName, offer.contractStatus], [firstName, 'pending']);
    }
  });
});
