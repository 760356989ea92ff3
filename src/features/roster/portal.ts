import { writeCompany } from '../../platform/db/write.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, PageOf } from '../../platform/http/schemas.ts';
import { createLineExport, ExportedLines } from '../accounts/export-lines.ts';
import { actorOf, userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { getIntegration } from '../integrations/change-integration.ts';
import { IntegrationParams } from '../integrations/contract.ts';
import { targetOf } from '../integrations/portal.ts';
import { canRetrySync, getSync, retrySync } from './accept.ts';
import {
  ExplainedRecordSchema,
  ExplainedRecordsQuery,
  ExplainedSyncSchema,
  RemovalDecisionBody,
  SyncParams,
  SyncProgressSchema,
  SyncsQuery,
} from './contract.ts';
import { findProgress } from './counts.ts';
import { decideRemovals } from './pending-removals.ts';
import { createSyncPresenter, presentExplainedRecord } from './present.ts';
import { listSyncRecords, listSyncs } from './store.ts';

const ofSync = { access: 'read', params: SyncParams } as const;

export const syncRoutes: Routes = (app, context) => {
  const { db, clock, queue, links, streaming, slots, notices } = context;
  const sendLines = createLineExport(context);
  app.get(
    '/integrations/:id/syncs',
    portalOperation({
      summary: 'List syncs',
      description: 'Newest first.',
      access: 'read',
      params: IntegrationParams,
      querystring: SyncsQuery,
      response: { 200: PageOf(ExplainedSyncSchema) },
    }),
    async (request) => {
      const target = targetOf(request, request.params.id);
      const page = await listSyncs(db, target, request.query);
      if (page.total === 0) await getIntegration(db, target.companyId, target.hrIntegrationId);
      const present = await createSyncPresenter(db, target, page.rows);
      return presentPage(page, request.query, (row) => present(row, links));
    },
  );

  app.get(
    '/integrations/:id/syncs/:syncId',
    portalOperation({
      ...ofSync,
      summary: 'Get a sync',
      response: { 200: DataOf(ExplainedSyncSchema) },
    }),
    async (request) => {
      const target = targetOf(request, request.params.id);
      const row = await getSync(db, target, request.params.syncId);
      const present = await createSyncPresenter(db, target, [row]);
      return { data: present(row, links) };
    },
  );

  app.get(
    '/integrations/:id/syncs/:syncId/progress',
    portalOperation({
      ...ofSync,
      summary: 'Get the progress of a running sync',
      response: { 200: DataOf(SyncProgressSchema) },
    }),
    async (request) => {
      const target = targetOf(request, request.params.id);
      const sync = await getSync(db, target, request.params.syncId);
      const written = await findProgress(db, target.companyId, sync.id);
      const canRetry = await canRetrySync(db, target, sync);
      return { data: { entries: sync.entries, written: written ?? null, canRetry } };
    },
  );

  app.post(
    '/integrations/:id/syncs/:syncId/retry',
    portalOperation({
      summary: 'Apply the stored roster of a failed sync again',
      description: 'A roster that was sent is stored until the next one arrives, but for at most a week.',
      access: 'syncs',
      params: SyncParams,
      response: { 202: NoContent },
      problems: ['sync-not-possible'],
    }),
    async (request, reply) => {
      const target = targetOf(request, request.params.id);
      const by = { userId: userOf(request).id, requestId: request.id, now: clock.now() };
      await writeCompany(db, target.companyId, (tx) =>
        retrySync(tx, queue, { target, syncId: request.params.syncId, by }),
      );
      return reply.code(202).send();
    },
  );

  app.get(
    '/integrations/:id/syncs/:syncId/records',
    portalOperation({
      ...ofSync,
      summary: 'List the records of a sync',
      querystring: ExplainedRecordsQuery,
      response: { 200: PageOf(ExplainedRecordSchema) },
    }),
    async (request) => {
      const target = targetOf(request, request.params.id);
      const { id } = await getSync(db, target, request.params.syncId);
      return presentPage(await listSyncRecords(db, target, id, request.query), request.query, presentExplainedRecord);
    },
  );

  app.get(
    '/integrations/:id/syncs/:syncId/records/export',
    {
      ...portalOperation({
        ...ofSync,
        summary: 'Export the records of a sync',
        description: 'All records that match the filters, one line of JSON each.',
        querystring: ExplainedRecordsQuery,
        response: { 200: ExportedLines },
      }),
      // A HEAD request would read everything and discard it.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const target = targetOf(request, request.params.id);
      const { id } = await getSync(db, target, request.params.syncId);
      return sendLines(request, reply, {
        read: (tx, page) => listSyncRecords(tx, target, id, { ...request.query, ...page }),
        present: presentExplainedRecord,
      });
    },
  );

  app.post(
    '/integrations/:id/syncs/:syncId/removals',
    portalOperation({
      summary: 'Approve or reject the pending removals of a sync',
      access: 'removals',
      stepUp: true,
      params: SyncParams,
      body: RemovalDecisionBody,
      problems: ['confirmation-mismatch', 'no-removals-held'],
    }),
    async (request, _reply) => {
      const { id, syncId } = request.params;
      const { confirm: confirmed, employeeIds, decision } = request.body;
      const { companyId } = userOf(request);
      const by = { actor: actorOf(request), name: userOf(request).name };
      const approval = { integration: id, syncId, decision, by, confirmed, ...(employeeIds && { employeeIds }) };
      // Many employees may be removed at once, which can take longer than the limit for other requests.
      const deps = { db: streaming.db, companyId, clock, queue, notices };
      await slots.longRunning.run({ companyId }, () => decideRemovals(deps, approval));
    },
  );
};
