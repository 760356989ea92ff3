import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asCompanyId } from '../../platform/db/company-scope.ts';
import { BatchGroup, batchMillis, countRequests, type RequestRow, toBatches } from './batches.ts';

const minute = Date.parse('2026-11-17T08:59:00Z');

const makeRow = (index: number, given: Partial<RequestRow> = {}): RequestRow => ({
  companyId: asCompanyId(1),
  id: `id ${index}`,
  at: minute + index,
  keyId: 'a',
  method: 'GET',
  path: `/v1/employees/${index}`,
  status: 200,
  us: 1_500,
  problem: null,
  address: null,
  ...given,
});

const read = ({ json }: { json: Buffer }) => JSON.parse(`[${json.toString()}]`);

describe('The requests that wait to be logged', () => {
  it('are kept completely, however many and whatever their text', () => {
    const texts = ['/v1/employees/äöü', '/v1/"quoted"\\', '/v1/日本語', `/v1/${'x'.repeat(5_000)}`, '/v1/🚋'];
    const rows = Array.from({ length: 2_000 }, (_, index) =>
      makeRow(index, { path: texts[index % texts.length] as string, problem: index % 3 === 0 ? 'not-found' : null }),
    );
    const [batch, ...others] = toBatches(rows);
    assert(batch);
    assert.deepEqual(others, []);
    assert.deepEqual(
      read(batch),
      rows.map(({ companyId: _companyId, address: _address, ...stored }) => stored),
    );
    assert.equal(batch.lastAt, minute + 1_999);
  });

  it('are divided by company and by minute', () => {
    const other = asCompanyId(2);
    const batches = toBatches([
      makeRow(1, { at: minute + batchMillis }),
      makeRow(2, { companyId: other }),
      makeRow(3),
      makeRow(4),
    ]);
    const found = batches.map((batch) => [batch.companyId, batch.count, read(batch).map(({ id }: RequestRow) => id)]);
    assert.deepEqual(found, [
      [other, 1, ['id 2']],
      [1, 2, ['id 3', 'id 4']],
      [1, 1, ['id 1']],
    ]);
    assert.equal(countRequests(batches), 4);
    assert.equal(new Set(batches.map(({ id }) => id)).size, 3);
  });

  it('count for their keys and the hour', () => {
    const group = new BatchGroup();
    for (const row of [
      makeRow(1, { address: '192.0.2.1' }),
      makeRow(2, { status: 404 }),
      makeRow(3, { status: 503 }),
      makeRow(4, { keyId: 'b', at: minute + batchMillis }),
    ]) {
      group.add(row);
    }
    const usage = group.batches.flatMap((batch) => [...batch.usage.values()]);
    const hour = (text: string) => Date.parse(text) / 1_000;
    assert.deepEqual(usage, [
      {
        companyId: 1,
        keyId: 'a',
        hour: hour('2026-11-17T08:00:00Z'),
        requests: 3,
        clientErrors: 1,
        serverErrors: 1,
        address: '192.0.2.1',
      },
      {
        companyId: 1,
        keyId: 'b',
        hour: hour('2026-11-17T09:00:00Z'),
        requests: 1,
        clientErrors: 0,
        serverErrors: 0,
        address: null,
      },
    ]);
    assert.equal(group.count, 4);
  });
});
