import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { extractText, getDocumentProxy } from 'unpdf';
import { useApp } from '../../support/app.ts';
import { anonymousClient, makeUser, signIn } from '../../support/portal.ts';
import { entries, makePusher } from '../../support/sync.ts';

async function readPages(file: string): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(Buffer.from(file, 'base64')));
  return (await extractText(pdf)).text.map((page) => page.replaceAll(/\s+/g, ' '));
}

describe('letters with signing links', () => {
  const app = useApp({ worker: 'without documents' });

  async function makeSigningCompany(count: number, locale = 'de-DE') {
    const pusher = await makePusher(app);
    const { companyId } = pusher;
    await sql`update companies set plan_type = 'split-pay-plan', contribution_cents = 2000, locale = ${locale}
      where id = ${companyId}`.execute(app.db);
    await pusher.sync('first', entries(count, { autoSyncEmployee: true }));
    const client = await signIn(app, await makeUser(app, companyId, 'hr'));
    const employees: { id: number; firstName: string; lastName: string }[] = await pusher.employees();
    return { companyId, client, employees, ids: employees.map(({ id }) => id) };
  }

  it('have a page per employee whose agreement is open, with an address that can be typed', async () => {
    const { client, companyId, employees, ids } = await makeSigningCompany(3);
    const [first = 0] = ids;
    await client.post('/contracts/decisions', { decision: 'contract-rejected', employeeIds: [first], confirm: 1 });
    await sql`update employees set contract_status = 'rejected' where company_id = ${companyId} and id = ${first}`.execute(
      app.db,
    );
    const { status, body } = await client.post('/contracts/letters', { employeeIds: ids });
    assert.equal(status, 200);
    const { file, ...counts } = body.data;
    assert.deepEqual(counts, { created: 2, skipped: 1, remaining: 0, continueAfter: null });
    const pages = await readPages(file);
    assert.equal(pages.length, 2);
    for (const [index, page] of pages.entries()) {
      const { firstName, lastName } = employees[index + 1] ?? assert.fail();
      assert(page.includes(`Guten Tag ${firstName} ${lastName},`), page);
      const [, token = ''] = /\/sign\/(\S+)/.exec(page) ?? [];
      const offer = await anonymousClient(app).get(`/signing/${token.toLowerCase()}`);
      assert.equal(offer.status, 200, token);
      assert.equal(offer.body.data.lastName, lastName);
    }
  });

  it('replace the link that was sent before, and are recorded as letters', async () => {
    const { client, companyId, ids } = await makeSigningCompany(1, 'en-GB');
    const { body } = await client.post('/contracts/links', { employeeIds: ids });
    const [, token] = /\/sign\/(\S+)$/.exec(body.data.links[0].url) ?? [];
    const letters = await client.post('/contracts/letters', { filter: { agreementStates: ['open'] } });
    const [page = ''] = await readPages(letters.body.data.file);
    assert.match(page, /Scan the code with the camera of your phone/);
    assert.equal((await anonymousClient(app).get(`/signing/${token}`)).status, 404);
    const { rows } = await sql<{ detail: object }>`select detail from audit_log
      where company_id = ${companyId} and action = 'signing-links.create' order by id`.execute(app.db);
    assert.deepEqual(
      rows.map(({ detail }) => detail),
      [{ employees: 1 }, { employees: 1, as: 'letters' }],
    );
  });

  it('are none if nobody can sign, and only of the own company', async () => {
    const [company, other] = [await makeSigningCompany(1), await makeSigningCompany(1)];
    const { body } = await company.client.post('/contracts/letters', { employeeIds: other.ids });
    assert.deepEqual(body.data, { created: 0, skipped: 1, remaining: 0, continueAfter: null, file: null });
  });
});
