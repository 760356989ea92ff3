import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { extractText } from 'unpdf';
import { eraseEmployees } from '../../../src/features/employees/erase.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { anonymousClient, makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { entries, makePusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

describe('agreements', () => {
  const app = useApp({ worker: 'without documents' });

  async function makeSigningCompany(count: number) {
    const pusher = await makePusher(app);
    const { companyId } = pusher;
    await sql`update companies set plan_type = 'split-pay-plan', contribution_cents = 2000
      where id = ${companyId}`.execute(app.db);
    await pusher.sync('first', entries(count, { autoSyncEmployee: true }));
    const client = await signIn(app, await makeUser(app, companyId, 'hr', { name: 'Hanna Recht' }));
    const ids: number[] = (await pusher.employees()).map(({ id }: { id: number }) => id);
    return { companyId, client, ids };
  }
  type Company = Awaited<ReturnType<typeof makeSigningCompany>>;

  const anonymous = () => anonymousClient(app);
  const list = async ({ client }: Pick<Company, 'client'>, query = '') =>
    (await client.get(`/agreements?perPage=100${query}`)).body.data;
  const find = async (company: Company, id: number | undefined) =>
    (await list(company)).data.find(({ employeeId }: { employeeId: number }) => employeeId === id);
  const tokensOf = (body: { data: { links: { url: string }[] } }) =>
    body.data.links.map(({ url }) => url.split('/').at(-1) ?? '');
  const send = async ({ client }: { client: PortalClient }, path: 'links' | 'reminders', selection: object) =>
    tokensOf((await client.post(`/contracts/${path}`, selection)).body);
  const sign = async (token: string, decision: string) => {
    const { documentSha256 } = (await anonymous().get(`/signing/${token}`)).body.data;
    assert.equal((await anonymous().post(`/signing/${token}`, { decision, documentSha256 })).status, 200);
  };
  const expire = ({ companyId }: Company, id: number | undefined) =>
    sql`update signing_links set expires_at = now() where company_id = ${companyId} and employee_id = ${id}`.execute(
      app.db,
    );

  it('have a state, and say when and how they were decided and by which user', async () => {
    const company = await makeSigningCompany(6);
    const { client, ids } = company;
    const [none, , expired, signed, recorded, rejected] = ids;
    const tokens = await send(company, 'links', { employeeIds: ids.slice(1) });
    await expire(company, expired);
    await sign(tokens[2] ?? '', 'contract-accepted');
    await sign(tokens[4] ?? '', 'contract-rejected');
    const consent = { given: 'on-paper', on: '2026-11-02' };
    const decision = { decision: 'contract-accepted', employeeIds: [recorded], consent, confirm: 1 };
    const batch = await client.post('/contracts/decisions', decision);
    await until('the decision is applied', async () => {
      const { body } = await client.get(`/subscription-batches/${batch.body.data.id}`);
      return body.data.finishedAt !== null;
    });
    const { data, progress, total } = await list(company);
    assert.equal(total, 6);
    assert.deepEqual(progress, { total: 6, accepted: 2, open: 3, rejected: 1 });
    const states = new Map(data.map(({ employeeId, state }: Record<string, unknown>) => [employeeId, state]));
    assert.deepEqual(
      ids.map((id) => states.get(id)),
      ['open', 'open', 'link-expired', 'signed', 'recorded', 'rejected'],
    );
    const [unsent, own, byHr, no] = await Promise.all(
      [none, signed, recorded, rejected].map((id) => find(company, id)),
    );
    assert.deepEqual([unsent.sentAt, unsent.openedAt, unsent.decision], [null, null, null]);
    assert.deepEqual([own.decision.given, own.decision.by], ['electronically', { type: 'employee', name: null }]);
    assert(own.sentAt && own.openedAt);
    const { at, ...how } = byHr.decision;
    assert.match(at, /Z$/);
    assert.deepEqual(how, { given: 'on-paper', givenOn: '2026-11-02', by: { type: 'user', name: 'Hanna Recht' } });
    assert.deepEqual([no.decision.given, no.decision.by.type], [null, 'employee']);
    for (const state of ['open', 'link-expired', 'signed', 'recorded', 'rejected']) {
      const found = (await list(company, `&states=${state}`)).data;
      const expected = ids.filter((id) => states.get(id) === state);
      assert.deepEqual(
        found.map(({ employeeId }: { employeeId: number }) => employeeId).toSorted(),
        expected.toSorted(),
        state,
      );
    }
  });

  it('are searched, sorted and paged, and only those of the company are listed', async () => {
    const company = await makeSigningCompany(5);
    const other = await makeSigningCompany(1);
    await send(company, 'links', { employeeIds: [company.ids[3]] });
    const names = ({ data }: { data: { lastName: string; firstName: string }[] }) =>
      data.map(({ lastName, firstName }) => `${lastName}, ${firstName}`);
    const all = names(await list(company));
    const pages = [1, 2, 3].map((page) => company.client.get(`/agreements?perPage=2&page=${page}`));
    const paged = (await Promise.all(pages)).flatMap(({ body }) => names(body.data));
    assert.deepEqual(paged, all);
    assert.deepEqual(names(await list(company, '&sortOrder=desc')), all.toReversed());
    assert.equal((await list(company, '&sortField=sentAt')).data[0].employeeId, company.ids[3]);
    const [{ email, employeeId }] = (await list(company)).data;
    const found = await list(company, `&search=${encodeURIComponent(email)}`);
    assert.deepEqual([found.total, found.data[0].employeeId, found.progress.total], [1, employeeId, 5]);
    assert.equal((await list(company, '&search=nobody-at-all')).total, 0);
    assert.equal((await list(other)).total, 1);
  });

  it('get links for all that match the filter, and for no others', async () => {
    const company = await makeSigningCompany(3);
    await send(company, 'links', { employeeIds: company.ids.slice(0, 2) });
    await expire(company, company.ids[1]);
    const filter = { agreementStates: ['link-expired'] };
    const preview = await company.client.post('/contracts/decisions/preview', {
      decision: 'contract-accepted',
      filter,
    });
    assert.deepEqual([preview.body.data.employees, preview.body.data.applicable], [1, 1]);
    const { body } = await company.client.post('/contracts/links', { filter });
    assert.deepEqual(
      body.data.links.map(({ employeeId }: { employeeId: number }) => employeeId),
      [company.ids[1]],
    );
    assert.equal((await list(company, '&states=link-expired')).total, 0);
  });

  it('know when the link was first opened, until a new link replaces it', async () => {
    const company = await makeSigningCompany(1);
    const [id] = company.ids;
    const [token] = await send(company, 'links', { employeeIds: [id] });
    assert.equal((await find(company, id)).openedAt, null);
    await anonymous().get(`/signing/${token}`);
    const stored = async () => {
      const { rows } = await sql<{ at: string }>`select opened_at::text as at from signing_links
        where company_id = ${company.companyId}`.execute(app.db);
      return rows[0]?.at;
    };
    const first = await stored();
    assert(first && (await find(company, id)).openedAt);
    await anonymous().get(`/signing/${token}`);
    assert.equal(await stored(), first);
    await send(company, 'links', { employeeIds: [id] });
    assert.equal((await find(company, id)).openedAt, null);
  });

  it('have the own paragraph of the company, and keep what was shown when they were decided', async () => {
    const company = await makeSigningCompany(2);
    const { client, ids, companyId } = company;
    const admin = await signIn(app, await makeUser(app, companyId, 'admin'));
    const set = async (agreementParagraph: string | null) =>
      assert.equal((await admin.post('/settings', { agreementParagraph })).status, 200);
    const [first = '', second = ''] = await send(company, 'links', { employeeIds: ids });
    const open = async (token: string) => (await anonymous().get(`/signing/${token}`)).body.data.documentSha256;
    const accept = (token: string, documentSha256: string) =>
      anonymous().post(`/signing/${token}`, { decision: 'contract-accepted', documentSha256 });
    const read = async (path: string, reader: PortalClient) => {
      const { bytes } = await reader.get(path);
      return (await extractText(new Uint8Array(bytes), { mergePages: true })).text.replaceAll(/\s+/g, ' ');
    };
    const plain = await open(first);
    assert.equal((await accept(first, plain)).status, 200);
    const seen = await open(second);
    await set('  Fragen beantwortet\nFrau Żuraw,  Zimmer 4. ');
    assert.equal(await open(first), plain, 'what was decided stays');
    const refused = await accept(second, seen);
    assert.deepEqual([refused.status, refused.body.code], [409, 'confirmation-mismatch']);
    const printed = 'Fragen beantwortet Frau Żuraw, Zimmer 4.';
    assert((await read(`/agreements/${ids[1]}/preview`, client)).includes(printed));
    const current = await open(second);
    assert.notEqual(current, seen);
    assert((await read(`/signing/${second}/agreement`, anonymous())).includes(printed));
    assert.equal((await accept(second, current)).status, 200);
    await set(null);
    assert.equal(await open(second), current);
    const wrong = await admin.post('/settings', { agreementParagraph: 'Willkommen 🎉' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.body.detail, /must not contain "🎉": the typeface of documents lacks this character/);
  });

  it('are reminded of once per day, while the link that was sent keeps working', async () => {
    const company = await makeSigningCompany(3);
    const [id, expired] = company.ids;
    const [token = ''] = await send(company, 'links', { employeeIds: [id, expired] });
    await expire(company, expired);
    const all = { filter: { agreementStates: ['open', 'link-expired'] } };
    const both = await Promise.all([send(company, 'reminders', all), send(company, 'reminders', all)]);
    const reminders = both.flat();
    assert.equal(reminders.length, 1, 'neither without a link, nor with an expired one, nor twice');
    const [reminder = ''] = reminders;
    assert.notEqual(reminder, token);
    for (const one of [token, reminder]) {
      const { status, body } = await anonymous().get(`/signing/${one}`);
      assert.deepEqual([status, body.data.contractStatus], [200, 'pending']);
    }
    assert.match((await find(company, id)).remindedOn, /^\d{4}-\d\d-\d\d$/);
    const again = (await company.client.post('/contracts/reminders', all)).body.data;
    assert.deepEqual([again.created, again.skipped], [0, 3]);
    await sql`update signing_reminders set reminded_on = reminded_on - 1
      where company_id = ${company.companyId}`.execute(app.db);
    const [next = ''] = await send(company, 'reminders', all);
    await sign(next, 'contract-accepted');
    assert.equal((await find(company, id)).state, 'signed');
    assert.deepEqual(await send(company, 'reminders', { employeeIds: [id] }), [], 'not after it was signed');
  });

  it('take reminders back with the link that they open, and with the employee', async () => {
    const company = await makeSigningCompany(1);
    const other = await makeSigningCompany(1);
    const selection = { employeeIds: company.ids };
    await send(company, 'links', selection);
    const [reminder = ''] = await send(company, 'reminders', selection);
    const [, secret = ''] = reminder.split('.');
    assert.equal((await anonymous().get(`/signing/${other.companyId}.${secret}`)).status, 404);
    assert.equal((await anonymous().get(`/signing/${reminder}`)).status, 200);
    await send(company, 'links', selection);
    assert.equal((await anonymous().get(`/signing/${reminder}`)).status, 404);
    assert.equal((await find(company, company.ids[0])).remindedOn, null);
    await writeCompany(app.db, company.companyId, (tx) =>
      eraseEmployees(tx, app.deps.queue, company.companyId, company.ids),
    );
    const left = await sql`select from signing_reminders where company_id = ${company.companyId}`.execute(app.db);
    assert.equal(left.rows.length, 0);
  });

  it('can be read before they are sent, until they are decided', async () => {
    const company = await makeSigningCompany(1);
    const path = `/agreements/${company.ids[0]}/preview`;
    const { status, headers, bytes } = await company.client.get(path);
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/pdf']);
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
    assert.equal((await find(company, company.ids[0])).openedAt, null);
    const [token = ''] = await send(company, 'links', { employeeIds: company.ids });
    await sign(token, 'contract-accepted');
    assert.equal((await company.client.get(path)).status, 404);
  });
});
