import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { operator } from '../../../src/domain/actor.ts';
import { getCompany, type Integration } from '../../../src/features/companies/companies.ts';
import { listCases, readCaseFile, requestCase } from '../../../src/features/connectors/cases/cases.ts';
import type { PullCase } from '../../../src/features/connectors/cases/contract.ts';
import { openCase } from '../../../src/features/connectors/cases/operate.ts';
import { createPseudonyms } from '../../../src/features/connectors/cases/pseudonyms.ts';
import { createRecorder } from '../../../src/features/connectors/cases/recorder.ts';
import { replayPull } from '../../../src/features/connectors/cases/replay.ts';
import type { FakeServerOptions } from '../../../src/features/connectors/fake/fake-server.ts';
import { httpJson } from '../../../src/features/connectors/providers/http-json.ts';
import { getConnector } from '../../../src/features/connectors/providers/index.ts';
import { connectIntegration } from '../../../src/features/connectors/pull/connect.ts';
import type { PullDeps } from '../../../src/features/connectors/pull/outcome.ts';
import { runPulls } from '../../../src/features/connectors/pull/run.ts';
import { requestPull } from '../../../src/features/connectors/pull/schedule.ts';
import type { Mapping } from '../../../src/features/connectors/rules/mapping.ts';
import { generic } from '../../../src/features/connectors/templates/generic.ts';
import type { CompanyContext } from '../../../src/features/context.ts';
import { expireRecords } from '../../../src/features/employees/erase.ts';
import { insertHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import { createEncryption } from '../../../src/platform/crypto/encryption.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { recordPull, today } from '../../support/cases.ts';
import { makeCompany } from '../../support/factories.ts';
import { startFakeWith } from '../../support/fake-hr/personio.ts';
import { startFakeRest } from '../../support/fake-hr/rest.ts';
import { useResource } from '../../support/prepare.ts';

const fileOf = (name: string) => `test/support/cases/${name}.json`;
const personioCredentials = { clientId: 'papi-client', clientSecret: 'papi-secret' };

async function recordPersonio(count: number, fault?: FakeServerOptions['fault']) {
  const fake = await startFakeWith(count, fault);
  const file = await recordPull({ provider: 'personio', origin: fake.origin, credentials: personioCredentials });
  await fake.close();
  return file;
}

const restMapping: Mapping = {
  ...generic.mapping,
  fields: {
    ...generic.mapping.fields,
    dateOfBirth: 'birth ?? null',
    startDate: 'start',
    personnelNumber: '$string(id)',
  },
  include: [{ attribute: 'status = "Angestellt" ? "ja" : department', is: 'none-of', values: ['Vorstand'] }],
  requests: {
    employees: {
      path: '/people?fields=all&api_key=planted-query-secret',
      list: 'items',
      id: 'id',
      total: 'count',
      paging: { kind: 'cursor', next: 'next', parameter: null },
    },
    absences: null,
  },
};

interface RestPerson extends Record<string, unknown> {
  id: number | string;
  firstName: string;
  lastName: string;
  email: string;
  birth: string | null;
  start: string;
  status: string;
  department: string;
}

const aRestPerson = (id: number, fields: Partial<RestPerson> = {}): RestPerson => ({
  id,
  firstName: `Vorname${id}`,
  lastName: `Nachname${id}`,
  email: `person${id}@firma.example`,
  birth: '1980-02-03',
  start: '2020-01-01',
  status: 'Angestellt',
  department: 'Vertrieb',
  ...fields,
});

async function recordRest(people: RestPerson[], fault?: FakeServerOptions['fault']) {
  const fake = await startFakeRest(
    {
      paths: ['/api/people'],
      paging: 'next',
      size: 3,
      isAllowed: ({ headers }) => headers.authorization === 'Bearer rest-secret-4711',
      wrap: (items, { total, next, url }) => ({
        items,
        count: total,
        ...(next === undefined ? {} : { next: url(next) }),
      }),
      offsetOf: (query) => Number(query.get('skip')),
    },
    { people, absences: [] },
    fault,
  );
  const credentials = { baseUrl: `${fake.origin}/api`, authentication: 'bearer', token: 'rest-secret-4711' };
  const file = await recordPull({ provider: 'http-json', origin: fake.origin, credentials, mapping: restMapping });
  await fake.close();
  return { file, origin: fake.origin };
}

describe('a pull as a case', () => {
  it('has the same outcome when it is replayed: Personio', async () => {
    const file = await recordPersonio(130);
    const { recorded, replayed, isSame, requests } = await replayPull(file);
    assert.deepEqual([recorded.people, replayed.people, replayed.entries, replayed.code], [130, 130, 130, null]);
    assert.deepEqual([isSame, file.isComplete, requests.unknown], [true, true, []]);
    assert.equal(requests.answered, requests.recorded);
  });

  const damages: [string, FakeServerOptions['fault'], string][] = [
    ['a page that is cut', ({ query }) => (query.get('offset') === '100' ? 'cut' : undefined), 'unreachable'],
    ['no JSON', ({ query }) => (query.get('offset') === '100' ? 'html' : undefined), 'unexpected-response'],
    [
      'damaged JSON',
      ({ query }) => (query.get('offset') === '100' ? 'damaged-json' : undefined),
      'unexpected-response',
    ],
    [
      'a long wait',
      ({ query }) => (query.get('offset') === '100' ? { status: 429, headers: { 'retry-after': '600' } } : undefined),
      'rate-limited',
    ],
    [
      'refused credentials',
      ({ path }) => (path === '/v1/auth' ? { status: 403, body: { success: false } } : undefined),
      'credentials-refused',
    ],
  ];
  for (const [what, fault, code] of damages) {
    it(`fails in the same way: ${what}`, async () => {
      const { recorded, replayed, isSame } = await replayPull(await recordPersonio(130, fault));
      assert.deepEqual([recorded.code, replayed.code, isSame], [code, code, true]);
    });
  }

  it('has the same outcome when it is replayed: any REST API', async () => {
    const people = [1, 2, 3, 4, 5, 6, 7].map((id) => aRestPerson(id));
    people[6] = aRestPerson(7, { status: 'Extern', department: 'Vorstand' });
    const { file } = await recordRest(people);
    const { recorded, replayed, isSame, requests } = await replayPull(file);
    assert.deepEqual([recorded.people, replayed.people, replayed.entries], [7, 7, 6]);
    assert.deepEqual([isSame, requests.unknown, requests.answered], [true, [], 3]);
    const again = [aRestPerson(1), aRestPerson(2, { email: 'PERSON1@firma.example' })];
    const twice = await replayPull((await recordRest(again)).file);
    assert.deepEqual(
      [twice.replayed.code, twice.replayed.reason, twice.isSame],
      ['invalid-roster', 'connector-unusable', true],
    );
  });

  it('keeps order and distance of dates, and the same pseudonym for the same text', () => {
    const pseudonyms = createPseudonyms({ key: Buffer.alloc(32, 1) });
    const days = ['2020-02-28', '2020-03-01', '01.03.2020', '20200301', '2020-03-01T08:00:00Z', '2020-02-30'];
    const [first = '', second = '', german = '', compact = '', time = '', impossible = ''] = days.map((day) =>
      pseudonyms.text(day),
    );
    assert.equal(Temporal.PlainDate.from(first).until(second).days, 2);
    assert.deepEqual(german.split('.').toReversed().join('-'), second);
    assert.equal(compact, second.replaceAll('-', ''));
    assert.equal(time, `${second}T08:00:00Z`);
    assert.match(impossible, /^\d{4}-02-30$/);
    assert.notEqual(second, '2020-03-01');
    assert.equal(pseudonyms.text('Müller').toLowerCase(), pseudonyms.text('MÜLLER').toLowerCase());
    assert.equal(pseudonyms.text('anna@x.de').split('@')[0], pseudonyms.text('anna'));
    assert.deepEqual(pseudonyms.json([{ id: 17 }, { ref: '17' }]), [
      { id: Number(pseudonyms.text('17')) },
      { ref: pseudonyms.text('17') },
    ]);
    const other = createPseudonyms({ key: Buffer.alloc(32, 2) });
    assert.notEqual(pseudonyms.text('Müller'), other.text('Müller'));
  });

  for (const [file, code, reason] of [
    ['personio-incomplete', 'incomplete', 'connector-incomplete'],
    ['rest-address-twice', 'invalid-roster', 'connector-unusable'],
  ] as const) {
    it(`that was saved is read from its file: ${file}`, async () => {
      const opened = await openCase(fileOf(file));
      assert(opened.kind === 'pull');
      const { replayed, isSame } = await replayPull(opened);
      assert.deepEqual([replayed.code, replayed.reason, isSame], [code, reason, true]);
    });
  }

  it('is replayed on loopback only, whatever addresses its file names', async () => {
    const opened = await openCase(fileOf('rest-address-twice'));
    assert(opened.kind === 'pull');
    let requests = 0;
    const elsewhere = await startFakeWith(1, () => {
      requests += 1;
      return undefined;
    });
    const baseUrl = `${elsewhere.origin}/r`;
    const { isSame } = await replayPull({ ...opened, credentials: { ...opened.credentials, baseUrl } });
    await elsewhere.close();
    assert.deepEqual([isSame, requests], [true, 0]);
    await assert.rejects(replayPull({ ...opened, provider: 'sftp-csv' }), /have no cases/);
  });

  it('is refused if its file is no case', async () => {
    await assert.rejects(openCase(fileOf('missing')), /cannot be read \(ENOENT\)/);
    await assert.rejects(openCase('package.json'), /is not a case of this version/);
    await assert.rejects(openCase('README.md'), /is not JSON/);
  });

  const name = fc.stringMatching(/^[A-ZÄÖÜ][a-zäöüßéç]{5,11}(-[A-Z][a-z]{5,9})?$/);
  const birth = fc
    .record({ year: fc.integer({ min: 1950, max: 2005 }), day: fc.integer({ min: 2, max: 360 }) })
    .map(({ year, day }) => Temporal.PlainDate.from({ year, month: 1, day: 1 }).add({ days: day }));
  const secret = fc.stringMatching(/^[A-Za-z0-9+/=]{16,40}$/);
  const somebody = fc.record({
    id: fc.oneof(fc.integer({ min: 10_000, max: 9_999_999 }), fc.uuid()),
    first: name,
    last: name,
    birth,
    form: fc.constantFrom('iso', 'german', 'time', 'odata'),
  });
  const inForm = (date: Temporal.PlainDate, form: string) => {
    const pad = (value: number) => String(value).padStart(2, '0');
    if (form === 'german') return `${pad(date.day)}.${pad(date.month)}.${date.year}`;
    if (form === 'time') return `${date}T00:00:00+01:00`;
    return form === 'odata' ? `/Date(${date.toZonedDateTime('UTC').epochMilliseconds})/` : date.toString();
  };

  it('contains no name, address, birth date or secret of what was recorded', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(somebody, { minLength: 1, maxLength: 6 }),
        fc.record({ token: secret, user: secret, query: secret }),
        async (people, secrets) => {
          const origin = 'https://hr.firma.example';
          const mapping: Mapping = {
            ...restMapping,
            include: [
              { attribute: `last != "${people[0]?.last}" ? "x"`, is: 'one-of', values: [people[0]?.last ?? ''] },
            ],
            requests: {
              absences: null,
              employees: {
                path: `/people?api_key=${encodeURIComponent(secrets.query)}`,
                list: '$',
                id: 'id',
                paging: { kind: 'link' },
              },
            },
          };
          const credentials = {
            baseUrl: `${origin}/api`,
            tokenUrl: `${origin}/token`,
            authentication: 'oauth2',
            clientId: secrets.user,
            clientSecret: secrets.token,
          };
          const recorder = createRecorder(httpJson, { credentials, mapping });
          const email = ({ first, last }: (typeof people)[number]) => `${first}.${last}@firma.example`.toLowerCase();
          const records = people.map((one) => ({
            id: one.id,
            name: { first: one.first, last: one.last, both: [`${one.first} ${one.last}`] },
            mail: email(one),
            born: inForm(one.birth, one.form),
            note: `${one.last}, ${one.first} <${email(one)}>, born ${one.birth}; token ${secrets.token}`,
            picture: `https://cdn.example/${one.last}/${one.id}.jpg?token=${secrets.token}`,
            [email(one)]: { [String(one.id)]: one.last.toUpperCase() },
            salary: 4_711.5,
          }));
          const send = (path: string, value: unknown, headers: Record<string, string> = {}) =>
            recorder.onExchange({
              method: 'GET',
              origin,
              path,
              requestBody: JSON.stringify({ client_secret: secrets.token, user: secrets.user }),
              response: {
                status: 200,
                headers: { 'content-type': 'application/json', 'set-cookie': secrets.token, ...headers },
                bytes: Buffer.from(JSON.stringify(value)),
              },
            });
          const [first] = people;
          const next = `${origin}/api/people?after=${first?.last}&mail=${first && email(first)}&api_key=${secrets.query}`;
          send('/token', { access_token: secrets.token, expires_in: 3600, note: secrets.user });
          send(
            `/api/people/${first?.last}?born=${first?.birth}&api_key=${encodeURIComponent(secrets.query)}`,
            records,
            {
              link: `<${next}>; rel="next"`,
            },
          );
          send('/api/people', { error: `${first?.first} is not allowed; ${secrets.query}` });
          const text = JSON.stringify(recorder.finish(today));
          const folded = text.toLowerCase();
          const planted = people.flatMap((one) => [
            one.first.toLowerCase(),
            one.last.toLowerCase(),
            encodeURIComponent(one.last).toLowerCase(),
            email(one),
            String(one.id),
          ]);
          for (const value of planted) assert(!folded.includes(value), `${value} is in the case`);
          for (const value of Object.values(secrets)) assert(!text.includes(value), `${value} is in the case`);
          const dates = new Set(text.match(/\d{4}-\d\d-\d\d|\d\d\.\d\d\.\d{4}|\/Date\(-?\d+\)/g));
          for (const one of people) {
            // Another date that was moved may be the same day.
            const moved = people.some((other) => other !== one && !other.birth.equals(one.birth));
            if (moved) continue;
            assert(!dates.has(one.birth.toString()) && !dates.has(inForm(one.birth, one.form)), String(one.birth));
          }
          assert(!text.includes(today) && !text.includes('4711.5'));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('says that it is not complete if responses exceed its limit, and the pull does not mind', async () => {
    const note = 'long text '.repeat(500_000);
    const { file } = await recordRest([1, 2, 3, 4].map((id) => aRestPerson(id, id === 4 ? {} : { note })));
    assert.deepEqual([file.outcome.code, file.outcome.people, file.isComplete], [null, 4, false]);
    assert(JSON.stringify(file).length < 10_000_000);
  });
});

describe('the next pull as a case', () => {
  const app = useApp();
  const fake = useResource(() => startFakeWith(3));
  const encryption = createEncryption('x'.repeat(32));
  let target: Integration;
  let context: CompanyContext;
  let deps: PullDeps;
  before(async () => {
    const companyId = await makeCompany(app.db);
    const now = Temporal.Now.instant();
    context = {
      config: app.config,
      db: app.serviceDb,
      companyId,
      by: { actor: operator, name: 'Ada', at: now },
      write: (change) => writeCompany(app.serviceDb, companyId, (tx) => change(tx, ['admin'])),
      openEncryption: async () => encryption,
    };
    const { queue, notices, clock } = app.deps;
    const settings = { encryption, origins: { personio: fake.origin }, allowsPrivateHosts: true, hasDemo: false };
    const signal = new AbortController().signal;
    const report = { read() {}, failed() {} };
    deps = { db: app.serviceDb, queue, notices, clock, signal, report, ...settings, maxEntries: 1_000 };
    target = await writeCompany(app.serviceDb, companyId, async (tx) => {
      const hrIntegrationId = await insertHrIntegration(tx, companyId, { name: 'Personio', type: 'hr-integration' });
      return { companyId, hrIntegrationId };
    });
  });

  const pull = async () => {
    await writeCompany(app.serviceDb, target.companyId, (tx) =>
      requestPull(tx, undefined, target, { kind: 'preview', requestedBy: 'Ada', now: Temporal.Now.instant() }),
    );
    await runPulls(deps, target);
  };

  it('is saved once, on request only, with its outcome, and erased in the end', async () => {
    const id = target.hrIntegrationId;
    await assert.rejects(requestCase(context, { id }), /Connect an HR system/);
    await writeCompany(app.serviceDb, target.companyId, (tx) =>
      connectIntegration(
        tx,
        { target, encryption, now: Temporal.Now.instant(), by: {} },
        { connector: getConnector('personio'), credentials: personioCredentials, isReady: true },
      ),
    );
    await pull();
    assert.deepEqual(await listCases(context, { id }), []);
    const { id: caseId } = await requestCase(context, { id });
    await assert.rejects(readCaseFile(context, { id, caseId }), /contains nothing yet/);
    await pull();
    await pull();
    const [saved, ...others] = await listCases(context, { id });
    assert.deepEqual([saved?.isReady, saved?.isRecording, others], [true, false, []]);
    const file = JSON.parse((await readCaseFile(context, { id, caseId })).toString()) as PullCase;
    assert.deepEqual(file.outcome, { code: null, reason: null, people: 3 });
    assert.doesNotMatch(JSON.stringify(file), /First|Last1|example\.com|papi/);
    assert.equal((await replayPull(file)).isSame, true);
    await sql`update integration_cases set erased_at = now() - interval '1 hour' where id = ${caseId}`.execute(app.db);
    const company = await getCompany(app.serviceDb, target.companyId);
    const now = Temporal.Now.instant();
    await writeCompany(app.serviceDb, target.companyId, (tx) =>
      expireRecords(tx, company, Temporal.PlainDate.from('2026-11-16'), now),
    );
    assert.deepEqual(await listCases(context, { id }), []);
  });
});
