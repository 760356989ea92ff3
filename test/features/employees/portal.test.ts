import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { formatMessage } from '../../../src/domain/messages/message.ts';
import { correctItem } from '../../../src/features/corrections/correct.ts';
import type { DecisionPreview, EmployeeDetails } from '../../../src/features/employees/contract.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useApp } from '../../support/app.ts';
import { joinCompany, onlyEmployee, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { anEmployee, makeCompany, makeDocument, makeEmployee, makeEmployees } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn, type TestUser } from '../../support/portal.ts';
import { anEntry, entries } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

interface Admin extends TestCompany {
  user: TestUser;
  client: PortalClient;
  details(id: number): Promise<EmployeeDetails>;
  foresee(id: number, decision: string): Promise<DecisionPreview>;
}

describe('employees in the portal', () => {
  const fixture = useFixture('2026-01-15');

  async function begin(settings: Record<string, unknown> = {}): Promise<Admin> {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture, settings);
    const user = await makeUser(fixture.app, company.companyId, 'admin', { name: 'Ada Admin' });
    const client = await signIn(fixture.app, user);
    return {
      ...company,
      user,
      client,
      async details(id) {
        const { status, body } = await client.get(`/employees/${id}`);
        assert.equal(status, 200, JSON.stringify(body));
        return body.data;
      },
      async foresee(id, decision) {
        const { status, body } = await client.post(`/employees/${id}/decisions/preview`, { decision });
        assert.equal(status, 200, JSON.stringify(body));
        return body.data;
      },
    };
  }

  async function only(company: TestCompany): Promise<number> {
    return (await onlyEmployee(company)).id;
  }

  it('are listed as in the public API, including filters and pages', async () => {
    const company = await begin();
    await company.sync('one', [...entries(12, { autoSyncEmployee: true }), anEntry(13, { lastName: 'Jäger' })]);
    for (const query of [
      '',
      '?page=2&perPage=5&sortField=updatedAt&sortOrder=desc',
      '?search=jaeger',
      '?subscriptionStatuses=scheduled&perPage=0',
      '?emails=ANNA3@example.com&ids=1',
    ]) {
      const { status, body } = await company.client.get(`/employees${query}`);
      assert.equal(status, 200);
      const { previous: _, next: __, ...page } = body.data;
      assert.deepEqual({ data: page }, (await company.get(`/employees${query}`)).body, query);
    }
    const wrong = await company.client.get('/employees?perPage=101');
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid-parameters']);
  });

  it('are shown with all their details', async () => {
    const company = await begin();
    const absences = [
      { startDate: '2026-04-01', endDate: null, approved: true },
      { startDate: '2026-02-01', endDate: '2026-02-10', approved: false },
    ];
    await company.sync('one', [
      anEntry(1, { autoSyncEmployee: true, startDate: '2024-02-01', terminationDate: '2026-12-31', absences }),
    ]);
    await company.runTo('2026-03-05');
    const id = await only(company);
    await until('three documents are stored', async () => {
      const { data } = (await company.get('/employee-documents')).body.data;
      return data.length === 3 && data.every(({ downloadable }: { downloadable: boolean }) => downloadable);
    });
    const details = await company.details(id);
    assert.deepEqual(details.employee, await onlyEmployee(company));
    assert.deepEqual([details.startDate, details.terminationDate], ['2024-02-01', '2026-12-31']);
    // The last ticket is before the absence without an end, and the plan deducts nothing.
    const { sentence, reasons, ...answer } = details.answer;
    assert.deepEqual([sentence, ...reasons].map(formatMessage), [
      'Anna Muster1 has the ticket until 31 March 2026.',
      'Absent from 1 April 2026, with no known end.',
      'The subscription ends on 31 December 2026. Reason: Employment ends on 31 December 2026.',
    ]);
    assert.deepEqual(answer, {
      nextTicketAt: null,
      lastTicket: '2026-03-01',
      lastDeduction: null,
      nextStep: null,
    });
    assert.deepEqual(details.absences, [absences[1], absences[0]]);
    assert.deepEqual(pluck(details.tickets, 'month', 'validFrom', 'validUntil'), [
      ['2026-03', '2026-03-01', '2026-03-31'],
      ['2026-02', '2026-02-01', '2026-02-28'],
    ]);
    assert.deepEqual(
      details.charges.map(({ billing }) => billing.period),
      ['2026-03-01', '2026-02-01'],
    );
    assert.deepEqual(details.charges[0], {
      ...(await company.items('2026-03-01'))[0],
      hrIntegration: null,
      message: null,
    });
    assert.deepEqual(
      details.documents,
      (await company.get(`/employees/${id}/documents?sortOrder=desc&perPage=100`)).body.data.data,
    );
    const known = details.history.map(({ knownOn, to }) => `${knownOn} ${to}`);
    assert.equal(known.at(-1), '2026-01-15 scheduled');
    const { username, ...actor } = details.history.at(-1)?.actor ?? {};
    assert.deepEqual(actor, { type: 'key', name: 'Test key' });
    assert.match(username ?? '', /^tk_/);
    assert.deepEqual(known, known.toSorted().reverse());
    assert.deepEqual(details.decisions, ['cancel', 'pause']);
  });

  it('are shown as leaving while they are offboarded, and not at all after their removal', async () => {
    const company = await begin();
    await company.sync('one', entries(2, { autoSyncEmployee: true }));
    await company.runTo('2026-02-05');
    const { id } = await company.employee('E2');
    await company.sync('two', entries(1));
    const leaving = await company.details(id);
    assert.deepEqual(leaving.answer.reasons.map(formatMessage), [
      'Reason for the end: No longer in the roster.',
      'Will be removed from the employees on 1 March 2026.',
    ]);
    assert.equal(leaving.answer.nextStep, 'fix-roster');
    const [document] = leaving.documents;
    assert(document);
    await company.runTo('2026-03-01');
    for (const path of [`/employees/${id}`, `/documents/${document.id}/download`]) {
      const response = await company.client.get(path);
      assert.deepEqual([response.status, response.body.code], [404, 'not-found']);
    }
    for (const path of ['decisions', 'decisions/preview']) {
      const response = await company.client.post(`/employees/${id}/${path}`, { decision: 'subscribe' });
      assert.deepEqual([response.status, response.body.code], [404, 'not-found']);
    }
  });

  it('are answered for with the links, tickets and charges that there are', async () => {
    const company = await begin({ plan_type: 'split-pay-plan', contribution_cents: 2000 });
    await company.sync('one', [anEntry(1, { autoSyncEmployee: true })]);
    const id = await only(company);
    const decide = (decision: string) => company.client.post(`/employees/${id}/decisions`, { decision });
    const ends = async () => {
      const { nextTicketAt, lastTicket, lastDeduction, nextStep } = (await company.details(id)).answer;
      return [nextTicketAt, lastTicket, lastDeduction, nextStep];
    };
    assert.deepEqual(await ends(), [null, null, null, 'send-link']);
    await company.client.post('/contracts/links', { employeeIds: [id] });
    assert.deepEqual(await ends(), [null, null, null, 'record-consent']);
    await decide('contract-accepted');
    assert.deepEqual(await ends(), ['2026-02-01', null, null, null]);
    await company.runTo('2026-02-11');
    await decide('cancel');
    assert.deepEqual(await ends(), ['2026-03-01', '2026-03-01', '2026-03-01', null]);
    await company.runTo('2026-04-01');
    assert.deepEqual(await ends(), [null, '2026-03-01', '2026-03-01', 'subscribe']);
    const [march] = await company.items('2026-03-01');
    const { db, deps } = fixture.app;
    await correctItem({ db, ...deps }, { item: march?.id, reason: 'refunded', company: company.companyId });
    assert.deepEqual(await ends(), [null, '2026-03-01', '2026-02-01', 'subscribe']);
  });

  describe('decisions about a subscription', () => {
    /**
     * Previews and applies a decision. Throws unless both results are equal and the employee then has the previewed
     * state.
     */
    async function take(company: Admin, id: number, decision: string): Promise<DecisionPreview> {
      const before = await company.details(id);
      assert(before.decisions.includes(decision as never), `${decision} is not among ${before.decisions}`);
      const preview = await company.foresee(id, decision);
      // Documents are written in the background meanwhile.
      assert.deepEqual({ ...(await company.details(id)), documents: [] }, { ...before, documents: [] });
      const { status, body } = await company.client.post(`/employees/${id}/decisions`, { decision });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(body.data, preview);
      const after = await company.details(id);
      const { subscription, plan } = after.employee;
      assert.deepEqual(
        [subscription.status, subscription.nextTicketAt, plan.contractSigningStatus, null],
        [preview.status, preview.nextTicketAt, preview.contractStatus, preview.refusal],
      );
      const written = after.history.slice(0, after.history.length - before.history.length).reverse();
      assert.deepEqual(
        written.map(({ effectiveOn, message, from, to }) => ({ effectiveOn, message, from, to })),
        preview.changes,
      );
      assert(written.every(({ actor }) => actor.type === 'user' && actor.name === 'Ada Admin'));
      return preview;
    }

    it('have a preview that equals their effect, and name the user', async () => {
      const company = await begin({ plan_type: 'split-pay-plan', contribution_cents: 2000 });
      await company.sync('one', [anEntry(1)]);
      const id = await only(company);
      assert.deepEqual((await company.details(id)).decisions, ['subscribe']);
      const subscribed = await take(company, id, 'subscribe');
      assert.deepEqual(
        [subscribed.status, subscribed.contractStatus, subscribed.changes[0]?.effectiveOn, subscribed.nextTicketAt],
        ['scheduled', 'pending', '2026-02-01', null],
      );
      assert.deepEqual((await company.details(id)).decisions, [
        'cancel',
        'pause',
        'contract-accepted',
        'contract-rejected',
      ]);
      assert.equal((await take(company, id, 'contract-accepted')).nextTicketAt, '2026-02-01');
      assert(!(await company.details(id)).decisions.includes('contract-accepted'));
      await company.runTo('2026-02-05');
      const paused = await take(company, id, 'pause');
      assert.deepEqual([paused.status, paused.changes.at(-1)?.effectiveOn], ['scheduled-pause', '2026-03-01']);
      await take(company, id, 'resume');
      await company.runTo('2026-02-11');
      const cancelled = await take(company, id, 'cancel');
      assert.deepEqual(
        [cancelled.status, cancelled.changes[0]?.effectiveOn, cancelled.nextTicketAt],
        ['scheduled-cancellation', '2026-04-01', '2026-03-01'],
      );
      assert.equal(cancelled.changes[0]?.message.key, 'known-after-cut-off');
      assert.equal((await take(company, id, 'subscribe')).status, 'active');
      const { rows } = await sql<{ action: string; actor: string }>`
        select action, actor from audit_log where company_id = ${company.companyId} and actor_type = 'user' and action like 'subscription.%'
        order by id`.execute(fixture.app.db);
      assert.deepEqual(
        pluck(rows, 'action'),
        ['subscribe', 'contract-accepted', 'pause', 'resume', 'cancel', 'subscribe'].map(
          (decision) => `subscription.${decision}`,
        ),
      );
      assert(rows.every(({ actor }) => actor === company.user.id));
    });

    it('create the documents that result from them', async () => {
      const company = await begin();
      await company.sync('one', [anEntry(1)]);
      const id = await only(company);
      await take(company, id, 'subscribe');
      const documents = async () => (await company.details(id)).documents;
      await until('a document is stored', async () => (await documents()).some(({ downloadable }) => downloadable));
      const [document] = (await company.details(id)).documents;
      const file = await company.client.get(`/documents/${document?.id}/download`);
      assert.deepEqual([file.status, file.bytes.subarray(0, 5).toString()], [200, '%PDF-']);
    });

    it('are refused with a reason if they are not possible, and change nothing', async () => {
      const company = await begin();
      await company.sync('one', [anEntry(1, { autoSyncEmployee: false })]);
      const id = await only(company);
      const before = await company.details(id);
      assert.deepEqual(before.decisions, []);
      for (const [decision, key] of [
        ['subscribe', 'refusal-opted-out'],
        ['cancel', 'refusal-not-possible-in-this-status'],
        ['contract-accepted', 'refusal-not-possible-in-this-status'],
      ] as const) {
        const preview = await company.foresee(id, decision);
        const values = key === 'refusal-opted-out' ? {} : { status: 'no-subscription' };
        assert.deepEqual(preview.refusal, { key, values });
        assert.deepEqual([preview.status, preview.changes], ['no-subscription', []]);
        const { status, body } = await company.client.post(`/employees/${id}/decisions`, { decision });
        assert.deepEqual([status, body.code, body.message], [409, 'subscription-request-refused', preview.refusal]);
      }
      assert.deepEqual(await company.details(id), before);
      const odd = await company.client.post(`/employees/${id}/decisions`, { decision: 'promote' });
      assert.deepEqual([odd.status, odd.body.errors[0].pointer], [400, '/decision']);
    });

    it('have a preview that processes no missed days', async () => {
      const company = await begin();
      await company.sync('one', [anEntry(1, { autoSyncEmployee: true })]);
      const id = await only(company);
      const processedThrough = async () => {
        const { rows } = await sql<{ day: string }>`
          select processed_through as day from companies where id = ${company.companyId}`.execute(fixture.app.db);
        return rows[0]?.day;
      };
      fixture.clock.moveTo('2026-02-03');
      const preview = await company.foresee(id, 'cancel');
      assert.equal(await processedThrough(), '2026-01-15');
      const { body } = await company.client.post(`/employees/${id}/decisions`, { decision: 'cancel' });
      assert.equal(await processedThrough(), '2026-02-03');
      // The service first processes the days themselves, so the start is no longer among the changes of the decision.
      assert.deepEqual(body.data.changes, preview.changes.slice(1));
      assert.deepEqual({ ...body.data, changes: [] }, { ...preview, changes: [] });
    });

    it('are allowed for admins only', async () => {
      const company = await begin();
      const id = await makeEmployee(fixture.app.db, company.companyId);
      for (const role of ['developer', 'viewer'] as const) {
        const client = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, role));
        assert.equal((await client.get(`/employees/${id}`)).status, 200);
        for (const path of ['decisions', 'decisions/preview']) {
          const response = await client.post(`/employees/${id}/${path}`, { decision: 'subscribe' });
          assert.deepEqual([response.status, response.body.code], [403, 'missing-role']);
        }
      }
    });
  });

  describe('their documents', () => {
    it('are downloaded as from the public API', async () => {
      const company = await begin();
      const { db, documents } = fixture.app;
      const employeeId = await makeEmployee(db, company.companyId);
      const content = Buffer.from('%PDF-1.7 a document %%EOF');
      const file = await documents.put(company.companyId, 'pdf', content);
      const id = await makeDocument(db, company.companyId, { employeeId, name: 'Brief an Jörg', file });
      const response = await company.client.get(`/documents/${id}/download`);
      const api = await company.get(`/employee-documents/${id}/download`);
      assert.deepEqual([response.status, response.bytes], [200, content]);
      for (const header of ['content-type', 'content-disposition', 'content-length', 'etag', 'cache-control']) {
        assert.equal(response.headers.get(header), api.headers.get(header), header);
      }
      const entries = (await company.client.get('/activity?action=document.download')).body.data.data;
      assert.deepEqual(pluck(entries, 'actorType', 'target', 'detail'), [['user', String(id), { employeeId }]]);
      const etag = response.headers.get('etag') ?? '';
      assert.equal((await company.client.get(`/documents/${id}/download`, { 'if-none-match': etag })).status, 304);
      const waiting = await makeDocument(db, company.companyId, { employeeId, name: 'Later' });
      const refused = await company.client.get(`/documents/${waiting}/download`);
      assert.deepEqual([refused.status, refused.body.code], [409, 'document-not-downloadable']);
    });

    it('of another company do not exist, even with a matching ETag', async () => {
      const [company, other] = [await begin(), await begin()];
      const { db, documents } = fixture.app;
      const file = await documents.put(other.companyId, 'pdf', Buffer.from('%PDF-1.7 theirs %%EOF'));
      const id = await makeDocument(db, other.companyId, { name: 'Theirs', file });
      const etag = (await other.client.get(`/documents/${id}/download`)).headers.get('etag') ?? '';
      assert.notEqual(etag, '');
      assert.equal((await company.client.get(`/documents/${id}/download`, { 'if-none-match': etag })).status, 404);
    });
  });
});

const orders = ['id', 'createdAt', 'updatedAt', 'name', 'status', 'start', 'nextTicket'].flatMap((field) =>
  ['asc', 'desc'].map((order) => `sortField=${field}&sortOrder=${order}`),
);

interface Listed {
  ids: number[];
  total: number;
  previous: string | null;
  next: string | null;
}

describe('the pages of sorted employees in the portal', () => {
  const app = useApp();
  let company: CompanyId;
  let client: PortalClient;

  before(async () => {
    company = await makeCompany(app.db);
    client = await signIn(app, await makeUser(app, company));
    const names = ['Öz', 'ohm', 'Ohm', 'Zander', 'abel', 'Éclair', 'Muster'];
    const employees = Array.from({ length: 23 }, (_, index) => {
      const day = `2026-0${1 + (index % 3)}-01`;
      return anEmployee({
        first_name: index % 2 === 0 ? 'Anna' : 'Ben',
        last_name: names[index % names.length] ?? '',
        // Many equal values, and many that are missing.
        ...(index % 4 === 0 ? {} : { subscription_status: 'active', start_on: day, next_ticket_on: day }),
      });
    });
    await makeEmployees(app.db, company, employees);
  });

  const list = async (query: string): Promise<Listed> => {
    const { status, body } = await client.get(`/employees?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    const { data, total, previous, next } = body.data;
    return { ids: data.map(({ id }: { id: number }) => id), total, previous, next };
  };

  it('are the same by place and by number, forwards and backwards, in every order', async () => {
    for (const order of orders) {
      for (const filter of ['', '&search=anna', '&subscriptionStatuses=active']) {
        const query = `${order}${filter}&perPage=5`;
        const { ids: all } = await list(`${order}${filter}&perPage=100`);
        const pages: Listed[] = [await list(query)];
        for (let last = pages[0]; last?.next && last.ids.length === 5; last = pages.at(-1)) {
          pages.push(await list(`${query}&page=${pages.length + 1}&place=${last.next}`));
        }
        assert.deepEqual(
          pages.flatMap(({ ids }) => ids),
          all,
          query,
        );
        assert.ok(
          pages.every(({ total }) => total === all.length),
          query,
        );
        const [, second, third] = pages;
        assert.deepEqual((await list(`${query}&place=${third?.previous}`)).ids, second?.ids, query);
        assert.deepEqual((await list(`${query}&place=${second?.previous}`)).ids, pages[0]?.ids, query);
        assert.deepEqual((await list(`${query}&page=3`)).ids, third?.ids, query);
      }
    }
  });

  it('skip and repeat nobody when employees come and go between two pages', async () => {
    const query = 'sortField=name&sortOrder=asc&perPage=5';
    const first = await list(query);
    const { ids: expected } = await list(`${query}&page=2`);
    const [gone = 0] = first.ids;
    await sql`update employees set removed_at = now() where company_id = ${company} and id = ${gone}`.execute(app.db);
    try {
      assert.deepEqual((await list(`${query}&page=2&place=${first.next}`)).ids, expected);
      assert.notDeepEqual((await list(`${query}&page=2`)).ids, expected);
    } finally {
      await sql`update employees set removed_at = null where company_id = ${company} and id = ${gone}`.execute(app.db);
    }
  });

  it('follow their number if the address names no place of this order', async () => {
    const query = 'sortField=start&sortOrder=asc&perPage=5&page=2';
    const { ids, next } = await list(query);
    const { next: ofNames } = await list('sortField=name&sortOrder=asc&perPage=5');
    const forge = (...token: unknown[]) => Buffer.from(JSON.stringify(token)).toString('base64url');
    const wrong = [
      'x',
      ofNames,
      forge('start', 'asc', 'after', '2026-02-30', 1),
      forge('start', 'asc', 'after', "'; drop", 1),
      forge('start', 'asc', 'beside', null, 1),
      forge('start', 'asc', 'after', null, 1.5),
      forge('start', 'desc', 'after', null, 1),
      forge({}),
    ];
    for (const place of wrong) assert.deepEqual((await list(`${query}&place=${place}`)).ids, ids, String(place));
    assert.notDeepEqual((await list(`${query}&place=${next}`)).ids, ids);
    for (const field of ['createdAt', 'updatedAt', 'name', 'status', 'id']) {
      const place = forge(field, 'asc', 'after', '2026-11-14 99:99:99+00', 1);
      assert.equal((await client.get(`/employees?sortField=${field}&sortOrder=asc&place=${place}`)).status, 200, field);
    }
    assert.equal((await client.get('/employees?place=%00')).status, 400);
  });

  it('end with an empty page after the last employee', async () => {
    const { next } = await list('perPage=100');
    assert.deepEqual(await list(`perPage=100&place=${next}`), { ids: [], total: 23, previous: null, next: null });
  });
});
