import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { basic, type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';
import { allStreamsEnd, streamsOf } from '../../support/streams.ts';
import { until } from '../../support/until.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the bytes in use. The size of the process would also count garbage that is not collected yet. */
function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('An export of 200,000 items', () => {
  const rows = 200_000;
  const path = '/billing/items/2026-11-01/ticket-charge';
  const app = useApp();
  let key: Credentials;
  before(async () => {
    const companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-billing']);
    await sql`
      insert into billing_items (company_id, period, charge_type, net_cents, tax_cents, gross_cents, hr_id, plan_type,
        company_share_cents, employee_share_cents, billed_at)
      select ${companyId}, '2026-11-01', 'ticket-charge', 5593, 392, 5985, 'E-' || n, 'split-pay-plan', 3985, 2000,
        '2026-11-01T00:05:00Z'
      from generate_series(1, ${rows}::int) n`.execute(app.db);
    await sql`
      insert into billing_totals (company_id, period, charge_type, items, net_cents, tax_cents, gross_cents)
      select company_id, period, charge_type, count(*), sum(net_cents), sum(tax_cents), sum(gross_cents)
      from billing_items where company_id = ${companyId} group by 1, 2, 3`.execute(app.db);
    await sql`analyze billing_items`.execute(app.db);
  });

  /**
   * Opens a raw reader, since a response of this size must not be buffered in memory. Other tests check the form of the
   * response on small ones.
   */
  async function open(signal?: AbortSignal) {
    const response = await fetch(`${app.url}${path}`, {
      headers: { authorization: basic(key) },
      ...(signal ? { signal } : {}),
    });
    assert.equal(response.status, 200);
    assert(response.body);
    return response.body.getReader();
  }

  it('is complete, and needs no more memory than a small export', async () => {
    const reader = await open();
    const mark = '"resource":"billing-item"';
    // The whole response has more than 100 MB as text, and more than twice that as rows. If the service buffered it
    // before sending it, or ran ahead of its reader, that much would be in use.
    const before = memoryInUse();
    let chunks = 0;
    let growth = 0;
    let bytes = 0;
    let items = 0;
    let tail = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const text = tail + Buffer.from(next.value).toString('latin1');
      items += text.split(mark).length - 1;
      const counted = text.lastIndexOf(mark);
      tail = text.slice(Math.max(counted < 0 ? 0 : counted + mark.length, text.length - mark.length));
      bytes += next.value.length;
      if (++chunks % 100 === 0) growth = Math.max(growth, memoryInUse() - before);
    }
    assert.equal(items, rows);
    assert(tail.endsWith('}]}') || tail === ']}', tail);
    assert(bytes > 100_000_000, `${bytes} bytes`);
    assert(chunks > 100, `${chunks} chunks`);
    assert(growth < 60_000_000, `grew by ${Math.round(growth / 1e6)} MB`);
    await allStreamsEnd(app);
  });

  it('ends its query when the client disconnects early', async () => {
    const client = new AbortController();
    const reader = await open(client.signal);
    await reader.read();
    assert.equal((await streamsOf(app)).length, 1);
    client.abort();
    await allStreamsEnd(app);
  });

  it('is cut off when the database fails, so that it cannot look complete', async () => {
    // Repeat more often than there are connections for streams, so that losing one each time would show.
    for (let times = 0; times < 5; times++) {
      const client = new AbortController();
      const reader = await open(client.signal);
      await reader.read();
      // The client has stopped reading, so the response is still under way: it is far larger than all buffers in
      // between.
      const [pid] = await streamsOf(app);
      await sql`select pg_terminate_backend(${pid}::int)`.execute(app.db);
      const end = performance.now() + 120_000;
      const readOn = async () => {
        for (let next = await reader.read(); !next.done; next = await reader.read()) assert(performance.now() < end);
      };
      const outcome = await Promise.race([
        readOn().then(
          () => 'complete',
          () => 'broken off',
        ),
        new Promise((resolve) => setTimeout(resolve, 120_000, 'neither ended nor broken off').unref()),
      ]);
      client.abort();
      assert.equal(outcome, 'broken off');
      await until('the connection is gone', async () => (await streamsOf(app, `pid = ${pid}`)).length === 0);
    }
    assert.equal((await app.request('/health')).status, 204);
    const small = await app.request('/billing/items/2026-10-01/ticket-charge', { key });
    assert.equal(small.bytes.toString(), '{"data":[]}');
  });

  it('needs no query while its clients read slowly', async () => {
    const client = new AbortController();
    const readers = await Promise.all(Array.from({ length: 2 }, () => open(client.signal)));
    await Promise.all(readers.map((reader) => reader.read()));
    await allStreamsEnd(app);
    const page = await app.request('/billing/items?perPage=1', { key });
    assert.equal(page.body.data.total, rows);
    const small = await app.request('/billing/items/2026-10-01/ticket-charge', { key });
    assert.equal(small.bytes.toString(), '{"data":[]}');
    client.abort();
  });
});
