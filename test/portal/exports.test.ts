import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { writeDate, writeLine } from '../../portal/src/ui/csv-line.ts';
import { useApp } from '../support/app.ts';
import { makeUser, type PortalClient, signIn } from '../support/portal.ts';
import { anEntry, entries, usePusher } from '../support/sync.ts';

describe('exports of the portal', () => {
  const app = useApp({ worker: 'without documents' });
  const pusher = usePusher(app);
  let client: PortalClient;
  before(async () => {
    await pusher.sync('one', entries(4));
    await pusher.sync('two', [anEntry(1, { firstName: 'Eva' }), anEntry(2), anEntry(3), anEntry(5)]);
    client = await signIn(app, await makeUser(app, pusher.companyId, 'viewer'));
  });

  async function read(path: string): Promise<unknown[]> {
    const { status, headers, bytes } = await client.get(path);
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/x-ndjson'], bytes.toString());
    const lines = bytes.toString().split('\n');
    assert.equal(lines.pop(), '', 'every line is complete');
    return lines.map((line) => JSON.parse(line));
  }
  const list = async (path: string) => (await client.get(path)).body.data.data;

  it('contain every record of the list, in its order and with its filters', async () => {
    const records = `/integrations/${pusher.integrationId}/syncs/two/records`;
    for (const [path, query] of [
      ['/employees', ''],
      ['/employees', 'search=eva'],
      ['/employees', 'sortField=name&sortOrder=desc'],
      ['/activity', 'action=sync.'],
      [records, ''],
      [records, 'outcomes=created'],
    ] as const) {
      const listed = await list(`${path}?perPage=100&${query}`);
      assert.deepEqual(await read(`${path}/export?${query}`), listed, `${path} ${query}`);
      assert.ok(listed.length > 0, `${path} ${query}`);
    }
    assert.deepEqual(await read('/billing/2026-11-01/items/export'), []);
  });

  it('are refused like the list', async () => {
    const { status, body } = await client.get('/integrations/999999/syncs/one/records/export');
    assert.deepEqual([status, body.code], [404, 'not-found']);
    assert.equal((await client.get('/employees/export?planTypes=none')).body.code, 'invalid-parameters');
  });
});

describe('a line of a table', () => {
  it('is written as the spreadsheet programs of the language read it', () => {
    assert.equal(writeLine(['a;b', 1234.5, -3.1, 'x'], 'de'), '"a;b";1234,5;-3,1;x\r\n');
    assert.equal(writeLine(['a;b', 1234.5, 'c,d', 'say "no"'], 'en'), 'a;b,1234.5,"c,d","say ""no"""\r\n');
    assert.deepEqual([writeDate('2026-11-05', 'de'), writeDate('2026-11-05', 'en')], ['05.11.2026', '2026-11-05']);
    assert.equal(writeDate(null, 'de'), '');
  });

  it('contains no formula', () => {
    for (const cell of ['=1+1', '+49 30 1', '-2', '@SUM(A1)', '\tx', '\rx']) {
      const [first] = writeLine([cell], 'de').replace(/^"/, '');
      assert.equal(first, "'", JSON.stringify(cell));
    }
  });
});
