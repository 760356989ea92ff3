import { insertAudit } from '../features/activity/record.ts';
import { writeArchive } from '../features/documents/archive.ts';
import { type DocumentStore, openStored } from '../features/documents/files.ts';
import { findDocument, listDocuments, type StoredDocumentRow } from '../features/documents/list.ts';
import { myRoutes } from '../features/my-route.ts';
import { inSnapshot } from '../platform/db/snapshot.ts';
import { extendTimeout } from '../platform/http/extend-timeout.ts';
import { FileOf } from '../platform/http/portal/operation.ts';
import { holdSlot } from '../platform/http/slot-limits.ts';
import { sendSpooled } from '../platform/http/spool.ts';
import { MyDataSchema } from './contract.ts';
import { readPersonalData } from './data.ts';

/** How many records of a table the page shows, and the archive has. Nobody has more in decades. */
const shown = 100;
const archived = 10_000;
const documentsPerPage = 100;

/** Shows employees what is stored about them. */
export const ownDataRoutes = myRoutes<{ documents: DocumentStore }>((route, context) => {
  const { db, clock, config, documents, slots } = context;

  route('GET /data', {
    summary: 'Get everything that is stored about me',
    access: 'employee',
    data: MyDataSchema,
    problems: ['not-found'],
    handle: ({ employee: { companyId, employeeId } }) =>
      inSnapshot(db, (tx) => readPersonalData(tx, { companyId, employeeId, limit: shown }, clock.now())),
  });

  route('GET /data/archive', {
    summary: 'Download everything that is stored about me',
    description: 'A ZIP archive: all records as JSON, and my documents.',
    access: 'employee',
    returns: FileOf('application/zip'),
    problems: ['not-found'],
    options: { exposeHeadRoute: false },
    async handle({ request, reply, employee: { companyId, employeeId }, by: { actor, at }, write }) {
      await holdSlot(slots.transfers, { companyId, name: `employee ${employeeId}` }, reply);
      extendTimeout(reply);
      const subject = { companyId, employeeId, limit: archived };
      const data = await inSnapshot(db, (tx) => readPersonalData(tx, subject, clock.now()));
      const entry = { action: 'employee.download-data', target: String(employeeId), actor, at };
      await write((tx) => insertAudit(tx, companyId, entry));
      async function* stored(): AsyncGenerator<StoredDocumentRow> {
        for (let page = 1; ; page++) {
          const query = { page, perPage: documentsPerPage, sortOrder: 'asc' } as const;
          const { rows } = await listDocuments(db, companyId, query, employeeId);
          for (const { id } of rows) {
            const row = await findDocument(db, companyId, id);
            // It may have been erased meanwhile.
            if (row?.employee_id === employeeId && row.downloadable) yield row;
          }
          if (rows.length < documentsPerPage) return;
        }
      }
      const open = ({ id, store_key: key, size_bytes: sizeBytes }: StoredDocumentRow) =>
        openStored(documents, { key: key ?? '', sizeBytes: sizeBytes ?? 0 }, request.log, { documentId: id });
      const json = Buffer.from(`${JSON.stringify(data, null, 2)}\n`);
      const archive = writeArchive(stored(), open, [{ name: 'data.json', bytes: json, at: data.createdAt }]);
      reply.header('content-disposition', 'attachment; filename="my-data.zip"').type('application/zip');
      return (await sendSpooled(reply, archive, config.spoolFolder)) as never;
    },
  });
});
