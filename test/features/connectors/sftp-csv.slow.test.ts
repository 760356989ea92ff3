import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { ConnectorError } from '../../../src/features/connectors/providers/connector.ts';
import { sftpCsv } from '../../../src/features/connectors/providers/sftp-csv.ts';
import type { ProviderRecord } from '../../../src/features/connectors/rules/map-record.ts';
import { listAttributes } from '../../../src/features/connectors/rules/mapping.ts';
import { commandsIn } from '../../support/commands.ts';
import { createTestDatabase } from '../../support/database.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { makeCompany } from '../../support/factories.ts';
import { sftpUser, startFakeSftp } from '../../support/fake-hr/sftp.ts';
import { pluck } from '../../support/pluck.ts';
import { useResource } from '../../support/prepare.ts';
import { seed } from '../../support/seed.ts';

const header = 'hrId;firstName;lastName;email;startDate;terminationDate;absences;salary';
const line = (id: number, name = `First${id}`) =>
  `E-${id};${name};Last;person${id}@example.com;2020-01-01;${id === 2 ? '2027-03-31' : ''};;4000`;
const roster = (count: number) =>
  [header, ...Array.from({ length: count }, (_, index) => line(index + 1))].join('\r\n');

describe('CSV over SFTP', () => {
  const fake = useResource(startFakeSftp);
  beforeEach(() => {
    fake.files.clear();
    fake.onRead = undefined;
  });

  const credentials = () => ({
    host: '127.0.0.1',
    port: fake.port,
    ...sftpUser,
    hostKey: fake.hostKey,
    path: '/export/roster-*.csv',
  });
  const connectMillis = 2_000;
  const open = (change: Record<string, string | number> = {}, allowsPrivateHosts = true) =>
    sftpCsv.open(
      { ...credentials(), ...change },
      {
        origin: undefined,
        signal: new AbortController().signal,
        timeZone: 'Europe/Berlin',
        allowsPrivateHosts,
        retryDelayMillis: 0,
        connectMillis,
      },
    );

  async function read(change?: Record<string, string | number>, memory?: unknown, allowsPrivateHosts?: boolean) {
    const connection = open(change, allowsPrivateHosts);
    const { defaultMapping: mapping } = sftpCsv;
    const day = '2026-11-16';
    const request = { mapping, attributes: listAttributes(mapping), absences: { from: day, to: day } };
    const records: ProviderRecord[] = [];
    try {
      for await (const page of connection.read({ ...request, last: { people: null, memory } }))
        records.push(...page.records);
      return records;
    } finally {
      await connection.close();
    }
  }

  it('reads the newest file that matches, in either encoding, and no column that is not mapped', async () => {
    fake.write('/export/roster-1.csv', roster(1), { hoursAgo: 20 });
    fake.write('/export/roster-2.csv', Buffer.from(`${header}\n${line(2, 'J\u00f6rg')}`, 'latin1'), { hoursAgo: 2 });
    fake.write('/export/other.csv', roster(9), { hoursAgo: 0.5 });
    const [first, ...others] = await read();
    assert.deepEqual(
      [first?.attributes, others],
      [
        {
          hrId: 'E-2',
          firstName: 'Jörg',
          lastName: 'Last',
          email: 'person2@example.com',
          startDate: '2020-01-01',
          terminationDate: '2027-03-31',
        },
        [],
      ],
    );
    const comma = `\ufeff${roster(1).replaceAll(';', ',').replace(',,4000', ',2026-12-01/2026-12-24,4000')}`;
    fake.write('/export/roster-3.csv', comma, { hoursAgo: 1 });
    const [single] = await read({ path: '/export/roster-3.csv' });
    assert.deepEqual(single?.absences, [
      { typeId: '', typeName: null, startDate: '2026-12-01', endDate: '2026-12-24', approved: true },
    ]);
    assert.equal((await read({ path: '/export' })).length, 9, 'the newest of a folder');
  });

  it('refuses a file that is old, cut off, much smaller than the last one, or not there', async () => {
    const fails = (message: RegExp, change?: Record<string, string>, memory?: unknown) =>
      assert.rejects(read(change, memory), { code: 'incomplete', message });
    await fails(/no file \/export\/roster|no \/export/);
    fake.write('/export/roster-1.csv', roster(5), { hoursAgo: 49 });
    await fails(/^\/export\/roster-1\.csv is 2 days old/);
    fake.write('/export/roster-1.csv', roster(5));
    await fails(/less than half of the last one/, {}, { bytes: roster(5).length * 3 });
    fake.write('/export/roster-1.csv', roster(5).slice(0, -8));
    await fails(/Record 5 of .* has 5 cells instead of 8/);
    fake.write('/export/roster-1.csv', roster(5));
    fake.onRead = (path) => void fake.write(path, roster(6));
    await fails(/still being written/);
  });

  it('reads no more than the server has announced', async () => {
    fake.write('/export/roster-1.csv', Buffer.alloc(20_000_000, roster(5)), { announcedBytes: 86 });
    let reads = 0;
    fake.onRead = () => void reads++;
    await assert.rejects(read(), { code: 'incomplete', message: /still being written/ });
    assert(reads <= 2, `${reads} reads`);
    fake.write('/export/roster-1.csv', roster(5), { announcedBytes: 129 * 1024 * 1024 });
    await assert.rejects(read(), { code: 'incomplete', message: /larger than 128 MB/ });
  });

  it('lists no more than 10,000 files', async () => {
    for (let number = 0; number < 10_000; number++) fake.write(`/export/old-${number}`, '');
    fake.write('/other/roster-1.csv', roster(5));
    await assert.rejects(read(), { code: 'incomplete', message: /There is no file/ });
    fake.write('/export/roster-1.csv', roster(5));
    await assert.rejects(read(), { code: 'incomplete', message: /\/export contains more than 10,?000 files/ });
  });

  it('reads a file for longer than connecting may take', async () => {
    fake.write('/export/roster-1.csv', roster(5));
    fake.onRead = () => sleep(connectMillis * 1.2);
    assert.equal((await read()).length, 5);
  });

  it('fails if the server sends what is not SFTP', async () => {
    fake.write('/export/roster-1.csv', roster(5));
    fake.onRead = () => 'garbage';
    await assert.rejects(read(), { code: 'unreachable', message: /ended the connection while .* was transferred/ });
  });

  it('gives up connecting to a server that is silent', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await assert.rejects(read({ port }), { code: 'unreachable', message: /ended the connection during the sign-in/ });
    silent.close();
  });

  it('names refused credentials, other host keys, missing rights and private addresses', async () => {
    fake.write('/export/roster-1.csv', roster(1), { isReadable: false });
    await assert.rejects(read(), { code: 'permission-missing', message: /may not read \/export\/roster-1\.csv/ });
    await assert.rejects(read({ password: 'wrong' }), { code: 'credentials-refused' });
    const swapped = Buffer.from(fake.hostKey.split(' ')[2] ?? '', 'base64');
    swapped[swapped.length - 1] = (swapped.at(-1) ?? 0) ^ 1;
    const wrongKey = { hostKey: `ssh-rsa ${swapped.toString('base64')}` };
    await assert.rejects(read(wrongKey), { message: /host key of 127\.0\.0\.1 is not the one/ });
    await assert.rejects(read({}, undefined, false), { code: 'unreachable', message: /not at a public address/ });
    await assert.rejects(read({ host: 'localhost' }, undefined, false), { message: /not at a public address/ });
  });

  it('accepts a fingerprint as host key', async () => {
    fake.write('/export/roster-1.csv', roster(3));
    const key = Buffer.from(fake.hostKey.split(' ')[2] ?? '', 'base64');
    const hostKey = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
    assert.equal((await read({ hostKey })).length, 3);
  });

  it('checks which columns are missing, and describes those that are there', async () => {
    fake.write('/export/roster-1.csv', 'hrId,firstName,lastName,mail\n1,A,B,a@b.example');
    const connection = open();
    const problems = await connection.check(sftpCsv.defaultMapping);
    assert.deepEqual(pluck(problems, 'what'), ['email', 'startDate', 'terminationDate']);
    assert.deepEqual(pluck((await connection.describe(sftpCsv.defaultMapping)).fields, 'name'), [
      'hrId',
      'firstName',
      'lastName',
      'mail',
    ]);
    await connection.close();
  });

  it('says what is wrong with credentials', () => {
    const { hostKey, path } = credentials();
    const find = (given: Record<string, string>) => sftpCsv.findCredentialProblem({ path, hostKey, ...given });
    assert.equal(find({})?.key, 'credentials-either');
    assert.equal(find({ password: 'x', hostKey: 'AAAA' })?.key, 'credentials-host-key');
    assert.equal(find({ password: 'x' }), undefined);
    assert.equal(find({ password: 'x', path: '/in/roster-[ab].csv' })?.key, 'credentials-path-pattern');
  });

  it('compares any pattern with any name at once', async () => {
    fake.write(`/in/${'a'.repeat(200)}`, roster(1));
    await assert.rejects(read({ path: '/in/*a*a*a*a*a*a*a*a*b' }), { message: /There is no file \/in\/\*a/ });
    await assert.rejects(read({ path: '/in/{a,b}' }), { code: 'incomplete', message: /Use only \* / });
  });

  it('is read completely, or not at all', async () => {
    const count = 3_000;
    const whole = roster(count);
    fake.write('/export/roster-1.csv', whole);
    const expected = await read();
    assert.equal(expected.length, count);
    const faults = fc.record({ at: fc.nat(14), kind: fc.constantFrom('cut', 'shorter', 'longer', 'gone', 'none') });
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(faults, async ({ at, kind }) => {
        fake.write('/export/roster-1.csv', whole);
        let seen = 0;
        fake.onRead = (path) => {
          if (seen++ !== at) return undefined;
          if (kind === 'cut') return 'cut';
          if (kind === 'shorter') fake.write(path, roster(count - 1));
          if (kind === 'longer') fake.write(path, roster(count + 1));
          if (kind === 'gone') fake.files.delete(path);
          return undefined;
        };
        try {
          assert.deepEqual(await read(), expected);
          outcomes.add('read');
        } catch (error) {
          if (!(error instanceof ConnectorError)) throw error;
          outcomes.add('failed');
        }
      }),
      { numRuns: runsOf(60), seed },
    );
    assert.deepEqual([...outcomes].sort(), ['failed', 'read']);
  });

  it('connects and syncs at the command line', async () => {
    const database = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'transit-sftp-'));
    try {
      fake.write('/export/roster-1.csv', roster(4));
      const env = { DATABASE_URL: database.url, DATA_DIR: folder, WEBHOOK_ALLOW_PRIVATE: 'on' };
      const commands = commandsIn(env);
      const company = String(await makeCompany(database.db));
      const run = (...words: string[]) => commands.succeed('integration', ...words, '--company', company);
      const { id } = await run('create', '--name', 'SFTP', '--type', 'hr-integration');
      const file = join(folder, 'sftp.json');
      await writeFile(file, JSON.stringify(credentials()));
      await run('connect', String(id), '--provider', 'sftp-csv', '--credentials', file);
      const outcome = await run('sync', String(id));
      assert.deepEqual([outcome.status, outcome.people, outcome.counts.created], ['succeeded', 4, 4]);
      fake.write('/export/roster-2.csv', roster(1), { hoursAgo: 0 });
      const second = await run('sync', String(id));
      assert.equal(second.status, 'failed');
      assert.match(second.reason, /less than half of the last one/);
      await run('connect', String(id), '--provider', 'sftp-csv', '--credentials', file);
      const third = await run('sync', String(id));
      assert.equal(third.people, 1, 'connecting again forgets the size of the last file');
    } finally {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
