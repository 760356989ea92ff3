import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { todayIn } from '../../platform/clock/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { assertPlainBody, streamOf } from '../../platform/http/plain-body.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import { holdSlot } from '../../platform/http/slot-limits.ts';
import type { ReadWorkbook } from '../../platform/table/read-table.ts';
import { unpackWorkbook } from '../../platform/table/unpack-workbook.ts';
import { type Integration, lockIntegration } from '../companies/companies.ts';
import type { Routes } from '../context.ts';
import { IntegrationParams } from '../integrations/contract.ts';
import { targetOf } from '../integrations/portal.ts';
import { acceptsUpload } from '../integrations/rules/status.ts';
import { portalRoutes, type UserCall } from '../portal-route.ts';
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
import { inspectTable, readUpload, tableTypes } from './read-table.ts';
import type { ColumnChoices } from './rules/file/columns.ts';
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

type Upload = Pick<UserCall, 'companyId' | 'user'> & {
  request: FastifyRequest;
  reply: FastifyReply;
  params: { id: number };
};

const defineRoutes = portalRoutes((route, { config, db, streaming, slots, clock, queue, metrics }) => {
  const limits = { maxBytes: config.maxSyncBytes, maxEntries: config.maxSyncEntries };
  const upload = {
    access: 'syncs',
    params: IntegrationParams,
    problems: [
      'malformed-body',
      'request-timeout',
      'sync-not-possible',
      'body-too-large',
      'unsupported-media-type',
      'invalid-roster',
      'sync-id-reused',
      'confirmation-mismatch',
    ],
    options: { bodyLimit: limits.maxBytes },
  } as const;

  /** Returns a body that may be read, or throws. A preview also counts as one of the user's transfers. */
  async function admit({ request, reply, user, ...call }: Upload, isPreview: boolean) {
    const target = targetOf(call);
    const { companyId } = target;
    assertPlainBody(request);
    await assertCanSync(db, target, acceptsUpload);
    await holdSlot(slots.transfers, { companyId, ...(isPreview ? { name: user.id } : {}) }, reply);
    // Unpacks an Excel file when it is the company's turn.
    const unpack: ReadWorkbook = (bytes) => slots.workbooks.run({ companyId }, () => unpackWorkbook(bytes));
    return { target, body: streamOf(request), unpack };
  }

  async function receive(call: Upload & { query: UploadQuery }, isPreview: boolean) {
    const { target, body, unpack } = await admit(call, isPreview);
    const { columns, leaveOut, fileName } = call.query;
    const choices: ColumnChoices | undefined = columns?.map((one) => (one === ignoredColumn ? null : one));
    const today = todayIn(clock, call.user.company.timeZone);
    const options = { ...limits, today, maxProblems, choices, unpack, leaveOut };
    return { target, choices, fileName, today, ...(await readUpload(body, call.request, options)) };
  }

  route('POST /integrations/:id/inspect', {
    summary: 'Inspect a roster as a table',
    description: 'Returns its columns and first rows, and what each column probably contains. Changes nothing.',
    ...upload,
    data: RosterTableSchema,
    async handle(call) {
      const { target, body, unpack } = await admit(call, true);
      const { format, headings, samples, ...table } = await inspectTable(body, limits.maxBytes, unpack);
      const columns = (await suggestColumns(db, target, headings)).map((column, index) => ({
        ...column,
        samples: samples[index] ?? [],
      }));
      return { type: format.type, encoding: format.encoding, ...table, columns };
    },
  });

  route('POST /integrations/:id/preview', {
    summary: 'Preview a roster',
    description:
      'Returns what the roster would change. Changes nothing. A client that accepts `application/x-ndjson` gets lines that say how many entries are planned; the last line is the response.',
    ...upload,
    query: UploadQuery,
    returns: DataOf(RosterPreviewSchema),
    async handle(call) {
      const { request, reply } = call;
      const { target, roster, isNamed } = await receive(call, true);
      extendTimeout(reply);
      if (isNamed) await findSameSync(db, target, roster);
      const plan = async (onPlanned?: (entries: number) => void) => {
        const context = { db: streaming.db, clock, target, onPlanned };
        const summary = await slots.longRunning.run(target, () => summarizeSync(context, roster, maxPreviewRecords));
        return { data: { ...summary, records: await nameRecords(db, target.companyId, summary.records) } };
      };
      return acceptsLines(request) ? sendProgress(reply, roster.entryCount, plan) : plan();
    },
  });

  route('POST /integrations/:id/sync', {
    summary: 'Push a roster',
    description: 'The roster is stored and will be applied in the background.',
    ...upload,
    query: UploadQuery,
    status: 202,
    data: PushedRosterSchema,
    async handle(call) {
      const { request, reply, user } = call;
      const { target, roster, isNamed, choices, headings, fileName, today } = await receive(call, false);
      const { syncId, isNew } = await writeCompany(db, target.companyId, async (tx) => {
        const name = isNamed ? roster.syncId : await nameUpload(tx, target, roster, today);
        const push = { pushedBy: user.name, userId: user.id, requestId: request.id, fileName, now: clock.now() };
        if (choices !== undefined) await updateUploadColumns(tx, target, headings, choices);
        const isNew = await acceptSync(tx, queue, { target, roster: { ...roster, syncId: name }, push });
        return { syncId: name, isNew };
      });
      reportAccepted({ request, reply, metrics }, target, { ...roster, syncId }, isNew);
      return { syncId };
    },
  });
});

export const uploadRoutes: Routes = (app, context) => {
  app.register(async (scope) => {
    // The handler reads the body as it arrives. A body of text is never in memory as a whole.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(['application/json', ...tableTypes], (_request, payload, done) => done(null, payload));
    defineRoutes(scope, context);
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
