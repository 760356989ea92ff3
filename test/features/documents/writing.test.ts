import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readConnectorSettings } from '../../../src/features/connectors/pull/open-connection.ts';
import { type DocumentStore, openDocumentStore } from '../../../src/features/documents/files.ts';
import { type Renderer, startRenderer } from '../../../src/features/documents/pdf/renderer.ts';
import { type WriteDocumentsDeps, writeDocuments } from '../../../src/features/documents/write.ts';
import { noEmployeeMails } from '../../../src/features/employee-mails/queue.ts';
import { readIssuerSettings } from '../../../src/features/issuers/open-issuer.ts';
import { noNotices } from '../../../src/features/notices/notices.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createEncryption } from '../../../src/platform/crypto/encryption.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../../../src/platform/db/database.ts';
import { openQueue } from '../../../src/platform/jobs/queue.ts';
import { noMetrics } from '../../../src/platform/telemetry/metrics.ts';
import { startWorker } from '../../../src/processes/worker.ts';
import { testClock } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { aContent } from '../../support/document-contents.ts';
import { makeCompany, makeEmployee } from '../../support/factories.ts';
import { useResource } from '../../support/prepare.ts';
import { withFolder } from '../../support/process.ts';
import { until } from '../../support/until.ts';

const log = pino({ level: 'silent' });

describe('writing documents', () => {
  const database = useDatabase();
  const renderer = useResource(() => startRenderer(false));

  /** Creates a document whose file is not written yet. Returns the id of its employee. */
  async function makePending(db: Db, companyId: CompanyId): Promise<number> {
    const employeeId = await makeEmployee(database.db, companyId);
    const content = JSON.stringify(aContent('ticket-confirmation', { employeeId }));
    await sql`
      insert into documents (company_id, employee_id, kind, about, edition, name, search_text, file_type, content)
      values (${companyId}, ${employeeId}, 'ticket-confirmation', '2026-11-01', '', 'Ticket', 'ticket', 'pdf', ${content})`.execute(
      db,
    );
    return employeeId;
  }

  async function keysOf(companyId: CompanyId): Promise<(string | null)[]> {
    const { rows } = await sql<{ key: string | null }>`
      select store_key as key from documents where company_id = ${companyId} order by id`.execute(database.db);
    return rows.map(({ key }) => key);
  }

  async function filesIn(folder: string): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  type Deps = Pick<WriteDocumentsDeps, 'documents' | 'renderer'> & Partial<WriteDocumentsDeps>;
  const write = (companyId: CompanyId, deps: Deps) =>
    writeDocuments(
      {
        db: database.db,
        clock: testClock,
        queue: { enqueueDocuments: async () => {} },
        signal: new AbortController().signal,
        onError: () => {},
        ...deps,
      },
      companyId,
      null,
    );

  it('leaves no file of a document that is erased in the meantime', () =>
    withFolder(async (folder) => {
      const companyId = await makeCompany(database.db);
      const erased = await makePending(database.db, companyId);
      await makePending(database.db, companyId);
      const render: Renderer['render'] = async (content) => {
        const { employeeId } = content;
        if (employeeId === erased) {
          await sql`delete from documents where company_id = ${companyId} and employee_id = ${employeeId}`.execute(
            database.db,
          );
        }
        return renderer.render(content);
      };
      await write(companyId, { documents: await openDocumentStore(folder), renderer: { render } });
      const keys = await keysOf(companyId);
      assert.equal(keys.length, 1);
      assert.deepEqual(
        (await filesIn(folder)).map((name) => `company-${companyId}/${name}`),
        keys,
      );
    }));

  it('reports each document once it can be downloaded, unless it is hidden', () =>
    withFolder(async (folder) => {
      const companyId = await makeCompany(database.db);
      const [shown, hidden] = [await makePending(database.db, companyId), await makePending(database.db, companyId)];
      await sql`update documents set removed_at = now() where company_id = ${companyId} and employee_id = ${hidden}`.execute(
        database.db,
      );
      const documents = await openDocumentStore(folder);
      for (let round = 0; round < 2; round++) await write(companyId, { documents, renderer });
      const { rows: ids } = await sql<{ id: number }>`
        select id from documents where company_id = ${companyId} and employee_id = ${shown}`.execute(database.db);
      const { rows } = await sql`select type, payload from events where company_id = ${companyId}`.execute(database.db);
      const payload = { ...ids[0], resource: 'employee-document', employeeId: shown, kind: 'ticket-confirmation' };
      assert.deepEqual(rows, [{ type: 'new-employee-document-generated', payload }]);
    }));

  it('fails, so that the job is retried, when the store does not respond', () =>
    withFolder(async (folder) => {
      const companyId = await makeCompany(database.db);
      for (let count = 0; count < 2; count++) await makePending(database.db, companyId);
      const store = await openDocumentStore(folder);
      let puts = 0;
      const put: DocumentStore['put'] = (...args) =>
        ++puts === 1 ? Promise.reject(new Error('The store is away.')) : store.put(...args);
      const deps = { documents: { ...store, put }, renderer };
      await assert.rejects(write(companyId, deps), /^Error: 1 documents of company \d+ could not be rendered\.$/);
      assert.equal((await keysOf(companyId)).filter((key) => key === null).length, 1);
      await write(companyId, deps);
      assert.equal((await keysOf(companyId)).filter((key) => key === null).length, 0);
    }));

  it('stores what is rendered when the worker stops, and reports the rest neither as written nor as failed', () =>
    withFolder(async (folder) => {
      const companyId = await makeCompany(database.db);
      await makePending(database.db, companyId);
      const late = await makePending(database.db, companyId);
      const documents = await openDocumentStore(folder);
      const stopped = startRenderer(false);
      const stopping = new AbortController();
      const rendered = Promise.withResolvers<void>();
      const render: Renderer['render'] = async (content) => {
        if (content.employeeId === late) {
          await rendered.promise;
          stopping.abort();
          await stopped.stop();
        }
        const bytes = await stopped.render(content);
        rendered.resolve();
        return bytes;
      };
      const reports: unknown[] = [];
      const report = (result: unknown) => void reports.push(result);
      const deps = { documents, renderer: { render }, onError: report, onFinished: report, signal: stopping.signal };
      await assert.rejects(write(companyId, deps), { name: 'AbortError' });
      assert.deepEqual(reports, []);
      assert.equal((await keysOf(companyId)).filter((key) => key === null).length, 1);
      await write(companyId, { documents, renderer });
      assert.equal((await keysOf(companyId)).filter((key) => key === null).length, 0);
    }));

  it('finds documents of a transaction that commits after an older job has begun', () =>
    withFolder(async (folder) => {
      const { db, url } = database;
      const companyId = await makeCompany(db);
      const queue = await openQueue({ url, worker: true, log });
      await db.transaction().execute((tx) => queue.enqueueDocuments(tx, companyId, null));
      const mayEnd = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const adding = db.transaction().execute(async (tx) => {
        await makePending(tx, companyId);
        await queue.enqueueDocuments(tx, companyId, null);
        begun.resolve();
        await mayEnd.promise;
      });
      await begun.promise;
      const worker = await startWorker({
        database: connectDatabase({ url, max: 2, applicationName: 'worker', streaming: true }),
        queue,
        clock: testClock,
        documents: await openDocumentStore(folder),
        connectors: readConnectorSettings(readConfig({}), createEncryption('')),
        issuers: readIssuerSettings(readConfig({}), createEncryption('')),
        mail: {
          encryption: createEncryption(''),
          publicUrl: 'http://localhost:3000',
          config: readConfig({}),
          transport: undefined,
        },
        notices: noNotices,
        employeeMails: noEmployeeMails,
        isTest: false,
        metrics: noMetrics,
        log,
      });
      try {
        await until('the job has ended', async () => {
          const { rows } = await sql`select 1 from queue.job where name = 'write-documents' and state = 'completed'
            and (data->>'companyId')::bigint = ${companyId}`.execute(db);
          return rows.length > 0;
        });
        mayEnd.resolve();
        await adding;
        await until('every document is stored', async () => (await keysOf(companyId)).every((key) => key !== null));
      } finally {
        mayEnd.resolve();
        await worker.stop();
      }
    }));
});
