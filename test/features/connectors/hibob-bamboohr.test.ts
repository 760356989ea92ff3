import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { FakeServer, Fault } from '../../../src/features/connectors/fake/fake-server.ts';
import { bamboohr } from '../../../src/features/connectors/providers/bamboohr.ts';
import {
  type Connection,
  type Connector,
  ConnectorError,
} from '../../../src/features/connectors/providers/connector.ts';
import { hibob } from '../../../src/features/connectors/providers/hibob.ts';
import type { ProviderRecord } from '../../../src/features/connectors/rules/map-record.ts';
import { listAttributes } from '../../../src/features/connectors/rules/mapping.ts';
import { commandsIn } from '../../support/commands.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { makeCompany } from '../../support/factories.ts';
import {
  aBambooPerson,
  bamboohrCredentials,
  type FakeBamboohr,
  startFakeBamboohr,
} from '../../support/fake-hr/bamboohr.ts';
import { aHibobPerson, type FakeHibob, hibobCredentials, startFakeHibob } from '../../support/fake-hr/hibob.ts';
import { useResource } from '../../support/prepare.ts';
import { seed } from '../../support/seed.ts';

const openTo = (connector: Connector, credentials: Record<string, string>, { origin }: FakeServer): Connection =>
  connector.open(credentials, {
    origin,
    signal: new AbortController().signal,
    timeZone: 'Europe/Berlin',
    allowsPrivateHosts: true,
    retryDelayMillis: 0,
  });

const absences = { from: '2026-01-01', to: '2027-12-31' };

async function readAll(connector: Connector, connection: Connection): Promise<ProviderRecord[]> {
  const { defaultMapping: mapping } = connector;
  const attributes = listAttributes(mapping);
  const records: ProviderRecord[] = [];
  const request = { mapping, attributes, absences, last: { people: null, memory: undefined } };
  for await (const page of connection.read(request)) records.push(...page.records);
  return records;
}

const problemsOf = async (connector: Connector, connection: Connection) =>
  (await connection.check(connector.defaultMapping)).map(({ code, what }) => [code, what]);

const plainFaults: Fault[] = [
  'cut',
  'cut-body',
  'damaged-json',
  'html',
  { status: 401, body: {} },
  { status: 403, body: {} },
  { status: 429, headers: { 'retry-after': '0' } },
  { status: 503, headers: { 'retry-after': '0' } },
  { status: 503, headers: { 'retry-after': '3600' } },
  { status: 500 },
  { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  { status: 200, body: {} },
];

/** Reads with random faults: everything that was read is right and complete, or reading fails with a reason. */
async function checkFaults(
  connector: Connector,
  credentials: Record<string, string>,
  start: (fault: () => Fault | undefined) => Promise<FakeServer>,
  edits: Fault[] = [],
) {
  let faults = new Map<number, Fault>();
  let count = 0;
  const fake = await start(() => faults.get(count++));
  const connection = openTo(connector, credentials, fake);
  try {
    const expected = await readAll(connector, connection);
    const chosen = fc.array(fc.tuple(fc.nat(4), fc.constantFrom(...plainFaults, ...edits)), { minLength: 1 });
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(chosen, async (list) => {
        faults = new Map(list);
        count = 0;
        try {
          assert.deepEqual(await readAll(connector, connection), expected);
          outcomes.add('read');
        } catch (error) {
          if (!(error instanceof ConnectorError)) throw error;
          outcomes.add('failed');
        }
      }),
      { numRuns: runsOf(120), seed },
    );
    assert.deepEqual([...outcomes].sort(), ['failed', 'read']);
  } finally {
    await connection.close();
    await fake.close();
  }
}

describe('HiBob', () => {
  const fake = useResource(() => startFakeHibob(3));
  const connection = useResource(() => openTo(hibob, hibobCredentials, fake));

  it('is read with leavers and absences of whole days, and never asked for salaries', async () => {
    fake.account.people[2] = aHibobPerson(3, { 'internal.status': 'Inactive' });
    fake.account.outs = [
      { employeeId: '1', startDate: '2026-12-01', type: 'openEnded', policyTypeDisplayName: 'Parental leave' },
      { employeeId: '1', startDate: '2026-11-01', endDate: '2026-11-01', type: 'hours', policyTypeDisplayName: 'Sick' },
      {
        employeeId: '2',
        startDate: '2026-12-01',
        endDate: '2026-12-24',
        type: 'days',
        policyTypeDisplayName: 'Holiday',
      },
    ];
    const [first, second, third] = await readAll(hibob, connection);
    assert.deepEqual(first?.attributes, {
      'root.id': '1',
      'root.firstName': 'First1',
      'root.surname': 'Last1',
      'root.email': 'person1@example.com',
      'work.startDate': '2020-01-01',
      'internal.terminationDate': '2027-12-31',
      'internal.status': 'Active',
    });
    assert.deepEqual(
      first?.absences?.map(({ typeId, startDate, endDate, approved }) => [typeId, startDate, endDate, approved]),
      [['Parental leave', '2026-12-01', null, true]],
    );
    assert.equal(second?.attributes['internal.terminationDate'], null, 'HiBob leaves out what is empty');
    assert.equal(second?.absences?.[0]?.endDate, '2026-12-24');
    assert.equal(third?.attributes['internal.status'], 'Inactive');
    assert(!fake.searches.flat().includes('payroll.salary'));
  });

  it('also answers with objects in each other', async () => {
    const person = { id: '9', firstName: 'A', surname: 'B', email: 'a@b.example', work: { startDate: null } };
    const nested = await startFakeHibob(1, ({ path }) =>
      path === '/v1/people/search' ? { status: 200, body: { employees: [person] } } : undefined,
    );
    const other = openTo(hibob, hibobCredentials, nested);
    const [record] = await readAll(hibob, other);
    await other.close();
    await nested.close();
    assert.deepEqual(
      [record?.attributes['root.id'], record?.attributes['work.startDate'], record?.attributes['internal.status']],
      ['9', null, undefined],
    );
  });

  it('is checked in its own terms', async () => {
    fake.account.withheld = ['internal.status'];
    fake.account.canReadTimeOff = false;
    assert.deepEqual(await problemsOf(hibob, connection), [
      ['attribute-withheld', 'internal.status'],
      ['permission-missing', "Time off: who's out"],
    ]);
    fake.account.withheld = [];
    fake.account.canReadTimeOff = true;
    assert.deepEqual(await problemsOf(hibob, connection), []);
    const wrong = openTo(hibob, { ...hibobCredentials, token: 'x' }, fake);
    await assert.rejects(wrong.check(hibob.defaultMapping), { code: 'credentials-refused' });
    await wrong.close();
    const { fields, absenceTypes } = await connection.describe(hibob.defaultMapping);
    assert(fields.some(({ name }) => name === 'work.startDate'));
    assert.deepEqual(absenceTypes[1], { id: 'Parental leave', name: 'Parental leave' });
  });

  it('is read completely, or not at all', () =>
    checkFaults(hibob, hibobCredentials, (fault) => startFakeHibob(20, fault)));
});

describe('BambooHR', () => {
  const fake = useResource(() => startFakeBamboohr(230));
  const connection = useResource(() => openTo(bamboohr, bamboohrCredentials, fake));

  it('is read page by page with approved time off, and never asked for pay', async () => {
    const type = { id: '78', name: 'Vacation' };
    fake.account.people[1] = aBambooPerson(2, { terminationDate: '2027-03-31' });
    fake.account.timeOff = [
      { employeeId: '1', status: { status: 'approved' }, start: '2026-12-01', end: '2026-12-24', type },
      { employeeId: '1', status: { status: 'requested' }, start: '2027-02-01', end: '2027-02-03', type },
    ];
    const records = await readAll(bamboohr, connection);
    assert.equal(records.length, 230);
    assert.deepEqual(records[0]?.attributes, {
      employeeId: 1,
      firstName: 'First1',
      lastName: 'Last1',
      workEmail: 'person1@example.com',
      hireDate: '2020-01-01',
      terminationDate: null,
      status: 'Active',
    });
    assert.equal(records[1]?.attributes.terminationDate, '2027-03-31');
    assert.deepEqual(
      records[0]?.absences?.map(({ typeId, startDate, endDate }) => [typeId, startDate, endDate]),
      [['78', '2026-12-01', '2026-12-24']],
    );
    assert(!fake.requestedFields.flat().includes('payRate'));
  });

  it('is checked in its own terms', async () => {
    fake.account.restricted = ['terminationDate'];
    fake.account.canReadTimeOff = false;
    assert.deepEqual(await problemsOf(bamboohr, connection), [
      ['attribute-withheld', 'terminationDate'],
      ['permission-missing', 'Time off: view'],
    ]);
    fake.account.restricted = [];
    fake.account.canReadTimeOff = true;
    assert.deepEqual(await problemsOf(bamboohr, connection), []);
    const elsewhere = openTo(bamboohr, { ...bamboohrCredentials, domain: 'other' }, fake);
    assert.deepEqual(await problemsOf(bamboohr, elsewhere), [['unreachable', 'domain']]);
    await elsewhere.close();
    assert.deepEqual((await connection.describe(bamboohr.defaultMapping)).absenceTypes, [
      { id: '78', name: 'Vacation' },
    ]);
  });

  it('is read completely, or not at all', () => {
    type Body = { data?: unknown[]; _links?: unknown; meta?: { page?: Record<string, number> } };
    const edit =
      (change: (body: Body) => void): Fault =>
      (response) => {
        const body = structuredClone(response.body) as Body;
        if (Array.isArray(body.data)) change(body);
        return { ...response, body };
      };
    const edits = [
      edit((body) => body.data?.pop()),
      edit((body) => body.data?.push(...body.data.slice(0, 1))),
      ...[null, '/api/gateway.php/acme/v1/employees', 'https://elsewhere.example/v1/employees'].map((href) =>
        edit((body) => Object.assign(body, { _links: { next: href === null ? null : { href } } })),
      ),
      edit((body) => delete body.data),
    ];
    return checkFaults(bamboohr, bamboohrCredentials, (fault) => startFakeBamboohr(230, fault), edits);
  });
});

describe('the commands that connect HiBob and BambooHR', () => {
  let database: TestDatabase;
  let folder: string;
  let fakes: { hibob: FakeHibob; bamboohr: FakeBamboohr };
  let company: string;
  let commands: ReturnType<typeof commandsIn>;
  before(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'transit-connect-'));
    fakes = { hibob: await startFakeHibob(4), bamboohr: await startFakeBamboohr(5) };
    const origins = { HIBOB_URL: fakes.hibob.origin, BAMBOOHR_URL: fakes.bamboohr.origin };
    commands = commandsIn({ DATABASE_URL: database.url, DATA_DIR: folder, ...origins });
    company = String(await makeCompany(database.db));
  });
  after(async () => {
    await fakes.hibob.close();
    await fakes.bamboohr.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const inCompany = (...words: string[]) => commands.succeed('integration', ...words, '--company', company);

  async function connect(provider: string, credentials: Record<string, string>): Promise<string> {
    const { id } = await inCompany('create', '--name', provider, '--type', 'hr-integration');
    const file = join(folder, `${provider}.json`);
    await writeFile(file, JSON.stringify(credentials));
    await inCompany('connect', String(id), '--provider', provider, '--credentials', file);
    return String(id);
  }

  it('check and sync', async () => {
    for (const [provider, credentials, people] of [
      ['hibob', hibobCredentials, 4],
      ['bamboohr', bamboohrCredentials, 5],
    ] as const) {
      const id = await connect(provider, credentials);
      assert.deepEqual(await inCompany('check', id), { ok: true, problems: [] });
      const outcome = await inCompany('sync', id);
      assert.deepEqual([outcome.status, outcome.people], ['succeeded', people], provider);
    }
  });

  it('refuse a domain that is none', async () => {
    const { id } = await inCompany('create', '--name', 'x', '--type', 'hr-integration');
    const file = join(folder, 'wrong.json');
    await writeFile(file, JSON.stringify({ domain: 'https://acme.bamboohr.com', apiKey: 'k' }));
    const words = ['connect', String(id), '--company', company, '--provider', 'bamboohr', '--credentials', file];
    assert.match(await commands.fail('integration', ...words), /for https:\/\/acme\.bamboohr\.com, it is acme/);
  });
});
