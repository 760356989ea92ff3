import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Integration } from '../../../src/features/companies/companies.ts';
import type { Fault } from '../../../src/features/connectors/fake/fake-server.ts';
import type { Connector, Credentials } from '../../../src/features/connectors/providers/connector.ts';
import { httpJson } from '../../../src/features/connectors/providers/http-json.ts';
import { personio } from '../../../src/features/connectors/providers/personio.ts';
import { connectIntegration } from '../../../src/features/connectors/pull/connect.ts';
import type { PullDeps } from '../../../src/features/connectors/pull/outcome.ts';
import { runPulls } from '../../../src/features/connectors/pull/run.ts';
import { requestPull } from '../../../src/features/connectors/pull/schedule.ts';
import { findPull } from '../../../src/features/connectors/pull/store.ts';
import type { Mapping } from '../../../src/features/connectors/rules/mapping.ts';
import { insertHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import { runOldestSync } from '../../../src/features/roster/run.ts';
import { createEncryption } from '../../../src/platform/crypto/encryption.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { testClock, useApp } from '../../support/app.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { makeCompany } from '../../support/factories.ts';
import { aPerson, startFakeWith } from '../../support/fake-hr/personio.ts';
import { useResource } from '../../support/prepare.ts';
import { seed } from '../../support/seed.ts';

type Body = {
  data?: { attributes: Record<string, unknown> }[];
  _data?: unknown[];
  metadata?: Record<string, number>;
  _meta?: unknown;
};

/** Changes the body of a response that would have been right. */
const change = (name: string, edit: (body: Body, path: string) => unknown) => ({ name, edit });

const plain: { name: string; fault: Fault }[] = [
  { name: 'cut', fault: 'cut' },
  { name: 'cut body', fault: 'cut-body' },
  { name: 'damaged JSON', fault: 'damaged-json' },
  { name: 'HTML', fault: 'html' },
  { name: 'token expired', fault: { status: 401, body: { success: false } } },
  { name: 'no permission', fault: { status: 403, body: { success: false } } },
  { name: 'too many requests', fault: { status: 429, headers: { 'retry-after': '0' } } },
  { name: 'unavailable', fault: { status: 503, headers: { 'retry-after': '0' } } },
  { name: 'error', fault: { status: 500 } },
  { name: 'redirect', fault: { status: 302, headers: { location: 'http://127.0.0.1:1/' } } },
  { name: 'wait for an hour', fault: { status: 429, headers: { 'retry-after': '3600' } } },
  { name: 'other JSON', fault: { status: 200, body: { success: true } } },
];

function withhold({ data = [] }: Body, name: string): void {
  for (const { attributes } of data) delete attributes[name];
}

const edits = [
  change('one missing', (body) => body.data?.pop()),
  change('nobody', (body) => body.data?.splice(0)),
  change('one twice', (body) => body.data?.push(...body.data.slice(0, 1))),
  change('total too small', (body) => Object.assign(body.metadata ?? {}, { total_elements: 100 })),
  change('total too large', (body) => Object.assign(body.metadata ?? {}, { total_elements: 1_000 })),
  change('attribute withheld', (body) => withhold(body, 'status')),
  change('id withheld', (body) => withhold(body, 'id')),
  change('no list', (body) => {
    delete body.data;
    delete body._data;
  }),
  change('link to itself', (body, path) => {
    if (body._data) body._meta = { links: { next: { href: path } } };
  }),
];

interface Subject {
  connector: Connector;
  credentials(origin: string): Credentials;
  mapping: Mapping;
}

const nextPath = "$replace(_meta.links.next.href, 'https://api.personio.de', '')";

/** The same API, read as any REST API: only its mapping says what is where. */
const asRestApi: Mapping = {
  ...personio.defaultMapping,
  fields: {
    ...personio.defaultMapping.fields,
    hrId: 'attributes.id.value',
    firstName: 'attributes.first_name.value',
    lastName: 'attributes.last_name.value',
    email: 'attributes.email.value',
    startDate: 'attributes.hire_date.value',
    terminationDate: 'attributes.termination_date.value',
  },
  include: [{ attribute: 'attributes.status.value', is: 'none-of', values: ['inactive'] }],
  requests: {
    employees: {
      path: '/v1/company/employees?limit=100',
      list: 'data',
      id: 'attributes.id.value',
      total: 'metadata.total_elements',
      paging: { kind: 'offset', parameter: 'offset' },
    },
    absences: {
      path: '/v2/absence-periods?limit=100&starts_from.date_time.lte={to}T23:59:59&ends_at.date_time.gte={from}T00:00:00',
      list: '_data',
      paging: { kind: 'cursor', next: nextPath, parameter: null },
      person: 'person.id',
      start: 'starts_from.date_time',
      end: 'ends_at.date_time ?? null',
      type: 'absence_type.id',
      typeName: null,
      approved: 'approval.status = "APPROVED"',
    },
  },
};

const subjects: Subject[] = [
  {
    connector: personio,
    credentials: () => ({ clientId: 'papi-client', clientSecret: 'papi-secret' }),
    mapping: personio.defaultMapping,
  },
  {
    connector: httpJson,
    credentials: (origin) => ({
      ...{ baseUrl: origin, authentication: 'oauth2', tokenUrl: `${origin}/v2/auth/token` },
      ...{ clientId: 'papi-client', clientSecret: 'papi-secret' },
    }),
    mapping: asRestApi,
  },
];

for (const subject of subjects)
  describe(`a pull during which anything may go wrong: ${subject.connector.provider}`, () => {
    let target: Integration;
    let deps: PullDeps;
    let faults = new Map<number, (typeof plain)[number] | (typeof edits)[number]>();
    let count = 0;
    let last = 230;

    function decide(path: string): Fault | undefined {
      const chosen = faults.get(count++);
      if (chosen === undefined) return undefined;
      if ('fault' in chosen) return chosen.fault;
      return (response) => {
        const body = structuredClone(response.body) as Body;
        // Sign-ins are no lists.
        if (Array.isArray(body.data) || Array.isArray(body._data)) chosen.edit(body, path);
        return { ...response, body };
      };
    }

    const app = useApp();
    const fake = useResource(() => startFakeWith(last, ({ path, query }) => decide(`${path}?${query}`)));
    before(async () => {
      fake.account.absences = fake.account.people.slice(0, 120).map(({ id }) => ({
        personId: id,
        typeId: 'leave',
        start: '2026-12-01',
        end: '2026-12-24',
        status: 'APPROVED',
      }));
      const encryption = createEncryption('x'.repeat(32));
      const companyId = await makeCompany(app.db);
      const {
        serviceDb: db,
        deps: { queue, notices },
      } = app;
      const signal = new AbortController().signal;
      const report = { read() {}, failed() {} };
      const settings = { encryption, origins: { personio: fake.origin }, allowsPrivateHosts: true, hasDemo: false };
      deps = {
        db,
        queue,
        notices,
        clock: testClock,
        signal,
        report,
        ...settings,
        maxEntries: 1_000,
        retryDelayMillis: 0,
      };
      target = await writeCompany(db, companyId, async (tx) => {
        const hrIntegrationId = await insertHrIntegration(tx, companyId, { name: 'Personio', type: 'hr-integration' });
        const connected = { companyId, hrIntegrationId };
        const { connector, mapping } = subject;
        const credentials = subject.credentials(fake.origin);
        const context = { target: connected, encryption, now: testClock.now(), by: {} };
        await connectIntegration(tx, context, { connector, credentials, mapping, isReady: true });
        return connected;
      });
    });

    /** Returns everybody who is in the company and stays, with their absences. */
    async function readEmployees(): Promise<string[]> {
      const rows = await app.db
        .selectFrom('employees as e')
        .innerJoin('hr_links as l', (join) =>
          join.onRef('l.company_id', '=', 'e.company_id').onRef('l.employee_id', '=', 'e.id'),
        )
        .leftJoin('absences as a', (join) =>
          join.onRef('a.company_id', '=', 'e.company_id').onRef('a.employee_id', '=', 'e.id'),
        )
        .select(['l.hr_id', 'e.terminated_on', 'a.ends_on'])
        .where('e.removed_at', 'is', null)
        .where('e.is_leaving', '=', false)
        .execute();
      return rows.map(({ hr_id, terminated_on, ends_on }) => `${hr_id} ${terminated_on} ${ends_on}`).toSorted();
    }

    const expected = () => {
      const ends = new Map(fake.account.absences.map(({ personId, end }) => [personId, end]));
      return fake.account.people
        .map(({ id, termination_date }) => `${id} ${termination_date} ${ends.get(id) ?? null}`)
        .toSorted();
    };

    async function pull() {
      const now = testClock.now();
      count = 0;
      const id = await writeCompany(deps.db, target.companyId, (tx) =>
        requestPull(tx, undefined, target, { kind: 'manual', requestedBy: 'test', now }),
      );
      await runPulls(deps, target);
      const ended = await findPull(app.db, target, id ?? 0);
      if (ended?.state !== 'read') return ended?.state;
      const syncs = { db: deps.db, deps: app.deps, queue: deps.queue, signal: deps.signal };
      await runOldestSync(
        { ...syncs, report: { applied() {}, failed: (_attempt, error) => assert.fail(error as Error) } },
        target,
      );
      return ended.state;
    }

    it('reads the whole roster, or changes nothing', async () => {
      faults = new Map();
      assert.equal(await pull(), 'read');
      assert.deepEqual(await readEmployees(), expected());
      const outcomes = new Map<string, number>();
      const fault = fc.constantFrom(...plain, ...edits);
      const chosen = fc.array(fc.tuple(fc.nat(9), fault), { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(chosen, fc.boolean(), async (list, isRefused) => {
          // The company has changed meanwhile, so a roster that was read shows.
          fake.account.people.splice(last % 7, 1);
          last += 1;
          fake.account.people.push(aPerson(last, { termination_date: '2027-03-31' }));
          if (isRefused) fake.expireTokens();
          const before = await readEmployees();
          faults = new Map(list);
          const state = (await pull()) ?? 'none';
          outcomes.set(state, (outcomes.get(state) ?? 0) + 1);
          const names = list.map(([index, { name }]) => `${index}: ${name}`).join(', ');
          assert.deepEqual(await readEmployees(), state === 'read' ? expected() : before, `${state} after ${names}`);
          const { status } = await app.db.selectFrom('hr_integrations').select('status').executeTakeFirstOrThrow();
          assert.equal(status, 'active');
        }),
        { numRuns: runsOf(42), seed },
      );
      assert((outcomes.get('read') ?? 0) > 0 && (outcomes.get('failed') ?? 0) > 0, JSON.stringify([...outcomes]));
    });
  });
