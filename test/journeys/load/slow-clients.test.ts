import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { slotLimits } from '../../../src/platform/http/slot-limits.ts';
import { workbookType } from '../../../src/platform/table/read-workbook.ts';
import { basic, type Credentials, type TestApp, useApp } from '../../support/app.ts';
import {
  anEmployee,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployees,
  makeIntegration,
  makeKey,
} from '../../support/factories.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { allStreamsEnd } from '../../support/streams.ts';
import { until } from '../../support/until.ts';
import { writeWorkbook } from '../../support/xlsx.ts';

const path = '/billing/items/2026-11-01/ticket-charge';

async function makeExporter(app: TestApp, items: number): Promise<Credentials> {
  const companyId = await makeCompany(app.db);
  for (let left = items; left > 0; left -= 1_000) {
    const employees = Array.from({ length: Math.min(left, 1_000) }, () => anEmployee());
    const ids = await makeEmployees(app.db, companyId, employees);
    await makeBillingItems(
      app.db,
      companyId,
      ids.map((id) => aTicketCharge(id)),
    );
  }
  return makeKey(app.db, companyId, ['view-billing']);
}

/** Begins an export and reads nothing of its body. */
async function beginExport(app: TestApp, key: Credentials): Promise<IncomingMessage> {
  const [response] = await once(get(`${app.url}${path}`, { headers: { authorization: basic(key) } }), 'response');
  return response as IncomingMessage;
}

describe('clients that read their exports slowly', () => {
  const app = useApp();

  it('hold no connection to the database, and others export meanwhile', async () => {
    const items = 12_000;
    const slow = await makeExporter(app, items);
    const other = await makeExporter(app, 3);
    const begun = await Promise.all(
      Array.from({ length: slotLimits.longRunning.total + 1 }, () => beginExport(app, slow)),
    );
    await allStreamsEnd(app);
    const exported = await app.request(path, { key: other });
    assert.equal(exported.body.data.length, 3);
    const [first, ...rest] = begun;
    for (const response of rest) response.destroy();
    const { data } = (await json(first as IncomingMessage)) as { data: { id: number }[] };
    assert.equal(new Set(data.map(({ id }) => id)).size, items);
    assert.deepEqual(
      data.map(({ id }) => id),
      data.map(({ id }) => id).toSorted((a, b) => a - b),
    );
    assert.deepEqual(await readdir(app.config.spoolFolder), [], 'the files have no names');
  });

  it('that disconnect end their queries', async () => {
    const key = await makeExporter(app, 5_000);
    for (let times = 0; times < 3; times++) (await beginExport(app, key)).destroy();
    await allStreamsEnd(app);
    assert.equal((await app.request(path, { key })).body.data.length, 5_000);
  });
});

describe('Excel files', () => {
  const app = useApp();
  const workbook = writeWorkbook({
    Roster: [
      ['hrId', 'firstName', 'lastName', 'email'],
      ['1', 'Ada', 'Byron', 'ada@example.com'],
    ],
  });

  async function makeUploader() {
    const companyId = await makeCompany(app.db);
    const integrationId = await makeIntegration(app.db, companyId);
    const client = await signIn(app, await makeUser(app, companyId));
    return { client, path: `/integrations/${integrationId}/inspect` };
  }

  const upload = ({ client, path }: { client: PortalClient; path: string }, type: string) =>
    client.post(path, workbook, { 'content-type': type });

  /** Counts the threads that read Excel files at the same time while `work` runs. */
  async function countThreads(work: () => Promise<void>): Promise<number> {
    let [running, most] = [0, 0];
    const onWorker = (thread: Worker) => {
      if (thread.resourceLimits?.maxOldGenerationSizeMb !== 768) return;
      most = Math.max(most, ++running);
      thread.once('exit', () => running--);
    };
    process.on('worker', onWorker);
    await work();
    process.off('worker', onWorker);
    return most;
  }

  it('are read one at a time per company, whatever the upload says that it contains', async () => {
    const [one, two, three] = [await makeUploader(), await makeUploader(), await makeUploader()];
    const types = ['text/csv', workbookType, 'text/csv'];
    const ofOne = await countThreads(async () => {
      for (const { status, body } of await Promise.all(types.map((type) => upload(one, type)))) {
        assert.deepEqual([status, body.data?.type], [200, 'workbook']);
      }
    });
    assert.equal(ofOne, slotLimits.workbooks.perCompany);
    const ofThree = await countThreads(async () => {
      const responses = await Promise.all(
        [one, two, three].flatMap((each) => [upload(each, 'text/csv'), upload(each, 'text/csv')]),
      );
      for (const { status } of responses) assert.equal(status, 200);
    });
    assert.equal(ofThree, slotLimits.workbooks.total);
  });

  it('of others are read while uploads stall', async () => {
    const [slow, other] = [await makeUploader(), await makeUploader()];
    const stalled: ClientRequest[] = [];
    for (let times = 0; times < slotLimits.workbooks.total + 1; times++) {
      const sent = request(new URL(`/portal/api${slow.path}`, app.url), {
        method: 'POST',
        headers: {
          cookie: slow.client.cookie,
          origin: new URL(app.config.publicUrl).origin,
          'content-type': workbookType,
          'content-length': workbook.length,
        },
      });
      sent.on('error', () => {});
      sent.write(workbook.subarray(0, 100));
      stalled.push(sent);
    }
    await until('the uploads have begun', () => stalled.every(({ socket }) => (socket?.bytesWritten ?? 0) > 100));
    assert.equal((await upload(other, workbookType)).status, 200);
    for (const sent of stalled) sent.destroy();
  });
});
