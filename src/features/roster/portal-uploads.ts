import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { todayIn } from '../../platform/clock/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { assertPlainBody, streamOf } from '../../platform/http/plain-body.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import { holdSlot } from '../../platform/http/slot-limits.ts';
import { userOf } from '../accounts/guard.ts';
import { type Integration, lockIntegration } from '../companies/companies.ts';
import type { Routes } from '../context.ts';
import { IntegrationParams } from '../integrations/contract.ts';
import { targetOf } from '../integrations/portal.ts';
import { acceptsUpload } from '../integrations/rules/status.ts';
import { acceptSync, assertCanSync, findSameSync, reportAccepted } from './accept.ts';
import { nameRecords, suggestColumns, updateUploadColumns } from './columns.ts';
import {
  ignoredColumn,
  maxPreviewRecords,
  PushedRosterSchema,
  RosterPreviewSchema,
  RosterTableSchema,
  UploadQuery,
} from './contract.ts';
import { summarizeSync } from './preview.ts';
import type { Roster } from './read-roster.ts';
import { inspectTable, readUpload, tableTypes, unpackWorkbook } from './read-table.ts';
import type { ColumnChoices } from './rules/file/columns.ts';
import type { ReadWorkbook } from './rules/file/read-table.ts';
import { findSync, listSyncs } from './store.ts';

/** Users see all problems of a file, and download them. */
const maxProblems = 10_000;

/**
 * Returns a syncId for a roster that has none. The same file uploaded again before it is applied is the same sync.
 * Afterwards it is a new sync: a user who uploads the morning's file again wants to return to it.
 */
async function nameUpload(tx: Tx, target: Integration, { contentHash }: Roster, day: Temporal.PlainDate) {
  await lockIntegration(tx, target);
  const name = `upload-${day}-${contentHash.toString('hex').slice(0, 12)}`;
  const [newest] = (await listSyncs(tx, target, { page: 1, perPage: 1 })).rows;
  const isApplied = newest?.state === 'succeeded' || newest?.state === 'partially-failed';
  if (newest?.syncId.startsWith(name) && !isApplied) return newest.syncId;
  let free = name;
  for (let number = 2; await findSync(tx, target, free); number++) free = `${name}-${number}`;
  return free;
}

export const uploadRoutes: Routes = (app, { config, db, streaming, slots, clock, queue, metrics }) => {
  const limits = { maxBytes: config.maxSyncBytes, maxEntries: config.maxSyncEntries };
  const problems = [
    'not-found',
    'malformed-body',
    'request-timeout',
    'sync-not-possible',
    'body-too-large',
    'unsupported-media-type',
    'invalid-roster',
    'sync-id-reused',
    'confirmation-mismatch',
  ] as const;
  const upload = { access: 'syncs', params: IntegrationParams, problems } as const;

  /** Returns a body that may be read, or throws. A preview also counts as one of the user's transfers. */
  async function admit(request: FastifyRequest, reply: FastifyReply, isPreview: boolean) {
    const target = targetOf(request, (request.params as { id: number }).id);
    const { companyId } = target;
    assertPlainBody(request);
    await assertCanSync(db, target, acceptsUpload);
    await holdSlot(slots.transfers, { companyId, ...(isPreview ? { name: userOf(request).id } : {}) }, reply);
    // Unpacks an Excel file when it is the company's turn.
    const unpack: ReadWorkbook = (bytes) => slots.workbooks.run({ companyId }, () => unpackWorkbook(bytes));
    return { target, body: streamOf(request), unpack };
  }

  async function receive(request: FastifyRequest, reply: FastifyReply, isPreview: boolean) {
    const { target, body, unpack } = await admit(request, reply, isPreview);
    const { columns, leaveOut, fileName } = request.query as Static<typeof UploadQuery>;
    const choices: ColumnChoices | undefined = columns?.map((one) => (one === ignoredColumn ? null : one));
    const today = todayIn(clock, userOf(request).company.timeZone);
    const options = { ...limits, today, maxProblems, choices, unpack, leaveOut };
    return { target, choices, fileName, ...(await readUpload(body, request, options)) };
  }

  app.register(async (scope) => {
    // The handler reads the body as it arrives. A body of text is never in memory as a whole.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(['application/json', ...tableTypes], (_request, payload, done) => done(null, payload));

    scope.post(
      '/integrations/:id/inspect',
      {
        ...portalOperation({
          summary: 'Inspect a roster as a table',
          description: 'Returns its columns and first rows, and what each column probably contains. Changes nothing.',
          ...upload,
          response: { 200: DataOf(RosterTableSchema) },
        }),
        bodyLimit: limits.maxBytes,
      },
      async (request, reply) => {
        const { target, body, unpack } = await admit(request, reply, true);
        const { format, headings, samples, ...table } = await inspectTable(body, limits.maxBytes, unpack);
        const columns = (await suggestColumns(db, target, headings)).map((column, index) => ({
          ...column,
          samples: samples[index] ?? [],
        }));
        return { data: { type: format.type, encoding: format.encoding, ...table, columns } };
      },
    );

    scope.post(
      '/integrations/:id/preview',
      {
        ...portalOperation({
          summary: 'Preview a roster',
          description:
            'Returns what the roster would change. Changes nothing. A client that accepts `application/x-ndjson` gets lines that say how many entries are planned; the last line is the response.',
          ...upload,
          querystring: UploadQuery,
          response: { 200: DataOf(RosterPreviewSchema) },
        }),
        bodyLimit: limits.maxBytes,
      },
      async (request, reply) => {
        const { target, roster, isNamed } = await receive(request, reply, true);
        extendTimeout(reply);
        if (isNamed) await findSameSync(db, target, roster);
        const plan = async (onPlanned?: (entries: number) => void) => {
          const context = { db: streaming.db, clock, target, onPlanned };
          const summary = await slots.longRunning.run(target, () => summarizeSync(context, roster, maxPreviewRecords));
          return { data: { ...summary, records: await nameRecords(db, target.companyId, summary.records) } };
        };
        return acceptsLines(request) ? sendProgress(reply, roster.entryCount, plan) : plan();
      },
    );

    scope.post(
      '/integrations/:id/sync',
      {
        ...portalOperation({
          summary: 'Push a roster',
          description: 'The roster is stored and will be applied in the background.',
          ...upload,
          querystring: UploadQuery,
          response: { 202: DataOf(PushedRosterSchema) },
        }),
        bodyLimit: limits.maxBytes,
      },
      async (request, reply) => {
        const { target, roster, isNamed, choices, headings, fileName } = await receive(request, reply, false);
        const { id: userId, name: pushedBy, company } = userOf(request);
        const { syncId, isNew } = await writeCompany(db, target.companyId, async (tx) => {
          const name = isNamed ? roster.syncId : await nameUpload(tx, target, roster, todayIn(clock, company.timeZone));
          const push = { pushedBy, userId, requestId: request.id, fileName, now: clock.now() };
          if (choices !== undefined) await updateUploadColumns(tx, target, headings, choices);
          const isNew = await acceptSync(tx, queue, { target, roster: { ...roster, syncId: name }, push });
          return { syncId: name, isNew };
        });
        reportAccepted({ request, reply, metrics }, target, { ...roster, syncId }, isNew);
        return { data: { syncId } };
      },
    );
  });
};

const linesType = 'application/x-ndjson';

const acceptsLines = ({ headers }: FastifyRequest) => headers.accept?.includes(linesType) === true;

type Plan<T> = (onPlanned: (entries: number) => void) => Promise<T>;

/**
 * Sends how many entries of a roster are planned, one line each time, and the response as the last line. Begins with the
 * first entries, so that a failure up to that point gets its own status. A later failure breaks the connection.
 */
async function sendProgress<T>(reply: FastifyReply, entries: number, plan: Plan<T>): Promise<T> {
  const lines = new PassThrough();
  // The rejected plan reports the failure.
  lines.on('error', () => {});
  const started = Promise.withResolvers<void>();
  const planned = plan((count) => {
    lines.write(`${JSON.stringify({ planned: count, entries })}\n`);
    started.resolve();
  });
  planned.then(
    (response) => lines.end(`${reply.serialize(response)}\n`),
    (error: Error) => lines.destroy(error),
  );
  await Promise.race([started.promise, planned]);
  reply.header('cache-control', 'no-store').type(linesType);
  // Typed as the response in the last line.
  return reply.send(lines) as never;
}
