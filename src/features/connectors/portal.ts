import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { todayIn } from '../../platform/clock/clock.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Links } from '../../platform/http/links.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, PageOf, Reference } from '../../platform/http/schemas.ts';
import { createLineExport, ExportedLines } from '../accounts/export-lines.ts';
import { actorOf, lockAbility, userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import {
  ExplainedRecordSchema,
  ExplainedRecordsQuery,
  ExplainedSyncSchema,
  RemovalDecisionBody,
  SyncParams,
  SyncProgressSchema,
  SyncsQuery,
} from '../roster/contract.ts';
import { findProgress } from '../roster/counts.ts';
import { presentExplainedRecord } from '../roster/explained-record.ts';
import { createSyncPresenter } from '../roster/explained-sync.ts';
import { decideRemovals } from '../roster/pending-removals.ts';
import { canRetrySync, retrySync } from '../roster/retry.ts';
import { findSync, listSyncRecords, listSyncs, type SyncRow } from '../roster/store.ts';
import type { SyncTarget } from '../roster/target.ts';
import {
  DeletionBody,
  DeletionPreviewSchema,
  type HrIntegration,
  HrIntegrationSchema,
  IntegrationParams,
  IntegrationStatusBody,
  NewIntegrationBody,
  RenameBody,
} from './contract.ts';
import { deleteHrIntegration, previewDeletion } from './delete.ts';
import { presentHrIntegration } from './present.ts';
import {
  everyHrIntegration,
  findHrIntegration,
  insertHrIntegration,
  listHrIntegrations,
  renameHrIntegration,
  updateHrIntegration,
} from './store.ts';

export const targetOf = (request: FastifyRequest, hrIntegrationId: number): SyncTarget => ({
  companyId: userOf(request).companyId,
  hrIntegrationId,
});

async function getIntegration(db: Db | Tx, companyId: CompanyId, id: number, links: Links): Promise<HrIntegration> {
  const row = await findHrIntegration(db, companyId, id);
  if (row === undefined) throw notFound('HR integration');
  return presentHrIntegration(row, links);
}

async function getSync(db: Db, target: SyncTarget, syncId: string): Promise<SyncRow> {
  const row = await findSync(db, target, syncId);
  if (row === undefined) throw notFound('sync');
  return row;
}

const connectionRoutes: Routes = (app, { db, clock, links }) => {
  app.get(
    '/integrations',
    portalOperation({
      id: 'listIntegrations',
      summary: 'List integrations',
      access: 'read',
      response: { 200: DataOf(Type.Array(Reference(HrIntegrationSchema))) },
    }),
    async (request) => {
      const { rows } = await listHrIntegrations(db, userOf(request).companyId, everyHrIntegration);
      return { data: rows.map((row) => presentHrIntegration(row, links)) };
    },
  );

  app.post(
    '/integrations',
    portalOperation({
      id: 'createIntegration',
      summary: 'Create an integration',
      access: 'integrations',
      body: NewIntegrationBody,
      response: { 201: DataOf(Reference(HrIntegrationSchema)) },
    }),
    async (request, reply) => {
      const { companyId } = userOf(request);
      const { name, type } = request.body;
      const by = { actor: actorOf(request), at: clock.now() };
      const data = await writeCompany(db, companyId, async (tx) => {
        const id = await insertHrIntegration(tx, companyId, { name: name.trim(), type }, by);
        return getIntegration(tx, companyId, id, links);
      });
      reply.code(201);
      return { data };
    },
  );

  app.get(
    '/integrations/:id',
    portalOperation({
      id: 'getIntegration',
      summary: 'Get an integration',
      access: 'read',
      params: IntegrationParams,
      response: { 200: DataOf(Reference(HrIntegrationSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId } = userOf(request);
      return { data: await getIntegration(db, companyId, request.params.id, links) };
    },
  );

  app.post(
    '/integrations/:id/status',
    portalOperation({
      id: 'setIntegrationStatus',
      summary: 'Enable or disable an integration',
      access: 'integrations',
      params: IntegrationParams,
      body: IntegrationStatusBody,
      response: { 200: DataOf(Reference(HrIntegrationSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const { id } = request.params;
      const by = { actor: actorOf(request), at: clock.now() };
      const data = await writeCompany(db, companyId, async (tx) => {
        await updateHrIntegration(tx, companyId, { id, status: request.body.status }, by);
        return getIntegration(tx, companyId, id, links);
      });
      return { data };
    },
  );
};

const managementRoutes: Routes = (app, { db, streaming, clock, queue, notices, links }) => {
  app.post(
    '/integrations/:id/name',
    portalOperation({
      id: 'renameIntegration',
      summary: 'Rename an integration',
      access: 'integrations',
      params: IntegrationParams,
      body: RenameBody,
      response: { 200: DataOf(Reference(HrIntegrationSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const { id } = request.params;
      const by = { actor: actorOf(request), at: clock.now() };
      const data = await writeCompany(db, companyId, async (tx) => {
        await renameHrIntegration(tx, companyId, { id, name: request.body.name.trim() }, by);
        return getIntegration(tx, companyId, id, links);
      });
      return { data };
    },
  );

  app.get(
    '/integrations/:id/deletion',
    portalOperation({
      id: 'previewDeletion',
      summary: 'Preview the deletion of an integration',
      access: 'integration-deletion',
      params: IntegrationParams,
      response: {
        200: DataOf(DeletionPreviewSchema),
      },
      problems: ['not-found'],
    }),
    async (request) => {
      const target = targetOf(request, request.params.id);
      const today = todayIn(clock, userOf(request).company.timeZone);
      return inSnapshot(db, async (tx) => {
        await getIntegration(tx, target.companyId, target.hrIntegrationId, links);
        const { linked, lastIds } = await previewDeletion(tx, target, today);
        return { data: { linked, last: lastIds.length } };
      });
    },
  );

  app.post(
    '/integrations/:id/deletion',
    portalOperation({
      id: 'deleteIntegration',
      summary: 'Delete an integration',
      description: 'Its links are deleted. Employees whom no other integration links are kept or offboarded.',
      access: 'integration-deletion',
      stepUp: true,
      params: IntegrationParams,
      body: DeletionBody,
      response: { 204: NoContent },
      problems: ['not-found', 'confirmation-mismatch', 'sync-not-possible'],
    }),
    async (request, reply) => {
      const target = targetOf(request, request.params.id);
      const { remaining, confirm: confirmed } = request.body;
      const by = { actor: actorOf(request) };
      // Many employees may be removed at once, which can take longer than the limit for other requests.
      await writeCompany(streaming.db, target.companyId, async (tx) => {
        await lockAbility(tx, request, 'integration-deletion');
        await deleteHrIntegration(tx, { clock, queue, notices }, target, { remaining, confirmed, by });
      });
      return reply.code(204).send();
    },
  );
};

const historyRoutes: Routes = (app, context) => {
  const { db, clock, queue, links } = context;
  const sendLines = createLineExport(context);
  app.get(
    '/integrations/:id/syncs',
    portalOperation({
      id: 'listSyncs',
      summary: 'List syncs',
      description: 'Newest first.',
      access: 'read',
      params: IntegrationParams,
      querystring: SyncsQuery,
      response: { 200: PageOf(Reference(ExplainedSyncSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const target = targetOf(request, request.params.id);
      const page = await listSyncs(db, target, request.query);
      if (page.total === 0) await getIntegration(db, target.companyId, target.hrIntegrationId, links);
      const present = await createSyncPresenter(db, target, page.rows);
      return presentPage(page, request.query, (row) => present(row, links));
    },
  );

  app.get(
    '/integrations/:id/syncs/:syncId',
    portalOperation({
      id: 'getSync',
      summary: 'Get a sync',
      access: 'read',
      params: SyncParams,
      response: { 200: DataOf(Reference(ExplainedSyncSchema)) },
      problems: ['not-found'],
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
      id: 'getSyncProgress',
      summary: 'Get the progress of a running sync',
      access: 'read',
      params: SyncParams,
      response: {
        200: DataOf(SyncProgressSchema),
      },
      problems: ['not-found'],
    }),
    async (request) => {
      const target = targetOf(request, request.params.id);
      const sync = await getSync(db, target, request.params.syncId);
      const written = await findProgress(db, target.companyId, sync.id);
      const canRetry = await canRetrySync(db, target, sync);
      return { data: { entries: sync.entry_count, written: written ?? null, canRetry } };
    },
  );

  app.post(
    '/integrations/:id/syncs/:syncId/retry',
    portalOperation({
      id: 'retrySync',
      summary: 'Apply the stored roster of a failed sync again',
      description: 'A roster that was sent is stored until the next one arrives, but for at most a week.',
      access: 'syncs',
      params: SyncParams,
      response: { 202: NoContent },
      problems: ['not-found', 'sync-not-possible'],
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
      id: 'listSyncRecords',
      summary: 'List the records of a sync',
      access: 'read',
      params: SyncParams,
      querystring: ExplainedRecordsQuery,
      response: { 200: PageOf(Reference(ExplainedRecordSchema)) },
      problems: ['not-found'],
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
        id: 'exportSyncRecords',
        summary: 'Export the records of a sync',
        description: 'All records that match the filters, one line of JSON each.',
        access: 'read',
        params: SyncParams,
        querystring: ExplainedRecordsQuery,
        response: { 200: ExportedLines },
        problems: ['not-found'],
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
};

const removalRoutes: Routes = (app, { streaming, slots, clock, queue, notices }) => {
  app.post(
    '/integrations/:id/syncs/:syncId/removals',
    portalOperation({
      id: 'decideRemovals',
      summary: 'Approve or reject the pending removals of a sync',
      access: 'removals',
      stepUp: true,
      params: SyncParams,
      body: RemovalDecisionBody,
      response: { 204: NoContent },
      problems: ['not-found', 'confirmation-mismatch', 'no-removals-held'],
    }),
    async (request, reply) => {
      const { id, syncId } = request.params;
      const { decision, confirm, employeeIds } = request.body;
      const target = targetOf(request, id);
      // Many employees may be removed at once, which can take longer than the limit for other requests.
      const { db: longRunning } = streaming;
      const by = { actor: actorOf(request), name: userOf(request).name };
      const approval = {
        integration: id,
        syncId,
        decision,
        by,
        confirmed: confirm,
        ...(employeeIds && { employeeIds }),
      };
      const { companyId } = target;
      await slots.longRunning.run(target, () =>
        decideRemovals({ db: longRunning, companyId, clock, queue, notices }, approval),
      );
      return reply.code(204).send();
    },
  );
};

export const integrationRoutes: Routes = (app, context) => {
  connectionRoutes(app, context);
  managementRoutes(app, context);
  historyRoutes(app, context);
  removalRoutes(app, context);
};
