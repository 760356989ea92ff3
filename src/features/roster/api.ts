import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { todayIn } from '../../platform/clock/clock.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { operation, pageResponse, recordResponse } from '../../platform/http/operation.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { assertPlainBody, streamOf } from '../../platform/http/plain-body.ts';
import { DataOf, IdParams, Reference } from '../../platform/http/schemas.ts';
import { holdSlot } from '../../platform/http/slot-limits.ts';
import { sendSpooled } from '../../platform/http/spool.ts';
import { principalOf } from '../caller.ts';
import { getCompany, type Integration } from '../companies/companies.ts';
import type { Routes } from '../context.ts';
import { getIntegration } from '../integrations/change-integration.ts';
import { pushPermissions } from '../integrations/rules/status.ts';
import { usernameOf } from '../keys/credentials.ts';
import { acceptSync, assertCanSync, findSameSync, getSync, reportAccepted } from './accept.ts';
import {
  RecordsQuery,
  RosterSchema,
  SyncParams,
  SyncPreviewSchema,
  SyncRecordSchema,
  SyncSchema,
  SyncsQuery,
  syncExample,
  syncRecordExample,
} from './contract.ts';
import { presentSync, presentSyncRecord } from './present.ts';
import { previewExample, previewSync } from './preview.ts';
import { readRoster } from './read-roster.ts';
import { listSyncRecords, listSyncs } from './store.ts';

const targetOf = (request: FastifyRequest, hrIntegrationId: number): Integration => ({
  companyId: principalOf(request).companyId,
  hrIntegrationId,
});

export const syncRoutes: Routes = (app, { config, db, streaming, slots, queue, clock, links, metrics }) => {
  const limits = { maxBytes: config.maxSyncBytes, maxEntries: config.maxSyncEntries };
  const dryRun = Type.Boolean({
    description: '`true` returns what the sync would do and changes nothing.',
    default: false,
  });

  app.register(async (scope) => {
    // The handler reads the body as it arrives, so that it is never in memory as a whole.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload));
    scope.post(
      '/hr-integrations/:id/sync',
      {
        ...operation({
          id: 'triggerSync',
          tag: 'Roster sync',
          summary: 'Trigger HR sync',
          description:
            'Pushes the complete current roster. 204 means that it is stored and will be applied in the background; the outcome is read from the integration (`lastSyncId`, `lastSyncStatus`) or from `…/syncs/{syncId}`. **Employees missing from the roster are offboarded.** The same `syncId` with the same content is accepted again without a second run. See the guide "Sync your roster".',
          permissions: pushPermissions,
          params: IdParams('HR integration'),
          querystring: Type.Object({ dryRun }),
          body: RosterSchema,
          responses: {
            200: {
              description: 'With `dryRun=true`: what the sync would do. Nothing was changed.',
              content: {
                'application/json': {
                  schema: DataOf(Reference(SyncPreviewSchema)),
                  examples: { example: { value: { data: previewExample } } },
                },
              },
            },
            204: { description: 'The roster is stored and will be applied.', type: 'null' },
          },
          problems: [
            'malformed-body',
            'not-found',
            'request-timeout',
            'sync-not-possible',
            'body-too-large',
            'unsupported-media-type',
            'invalid-roster',
            'sync-id-reused',
          ],
        }),
        bodyLimit: limits.maxBytes,
      },
      async function triggerSyncHandler(request, reply) {
        const target = targetOf(request, (request.params as { id: number }).id);
        const { dryRun } = request.query as { dryRun: boolean };
        const name = usernameOf(principalOf(request));
        const { companyId } = target;
        assertPlainBody(request);
        await assertCanSync(db, target);
        await holdSlot(slots.transfers, { companyId, ...(dryRun ? { name } : {}) }, reply);
        const { timeZone } = await getCompany(db, companyId);
        const roster = await readRoster(streamOf(request), { ...limits, today: todayIn(clock, timeZone) });
        if (dryRun) {
          extendTimeout(reply);
          await findSameSync(db, target, roster);
          const text = slots.longRunning.stream({ companyId }, () =>
            previewSync({ db: streaming.db, clock, target }, roster, links),
          );
          reply.type('application/json; charset=utf-8');
          return sendSpooled(reply, text, config.spoolFolder);
        }
        const push = { pushedBy: name, requestId: request.id, now: clock.now() };
        const isNew = await writeCompany(db, companyId, (tx) => acceptSync(tx, queue, { target, roster, push }));
        reportAccepted({ request, reply, metrics }, target, roster, isNew);
        return reply.code(204).send();
      },
    );
  });

  app.get(
    '/hr-integrations/:id/syncs',
    operation({
      id: 'listSyncs',
      tag: 'Roster sync',
      summary: 'List syncs',
      description: 'The syncs of an integration, newest first.',
      permissions: ['view-hr-integrations'],
      isKept: true,
      params: IdParams('HR integration'),
      querystring: SyncsQuery,
      response: pageResponse(SyncSchema, 'syncs', syncExample),
      problems: ['not-found'],
    }),
    async function listSyncsHandler(request) {
      const target = targetOf(request, request.params.id);
      const page = await listSyncs(db, target, request.query);
      if (page.total === 0) await getIntegration(db, target.companyId, target.hrIntegrationId);
      return presentPage(page, request.query, (row) => presentSync(row, target.hrIntegrationId, links));
    },
  );

  app.get(
    '/hr-integrations/:id/syncs/:syncId',
    operation({
      id: 'getSync',
      tag: 'Roster sync',
      summary: 'Get sync',
      description:
        'One sync: its state or outcome, who pushed it, how long it took and how many records had each outcome.',
      permissions: ['view-hr-integrations'],
      isKept: true,
      params: SyncParams,
      response: recordResponse(SyncSchema, 'sync', syncExample),
      problems: ['not-found'],
    }),
    async function getSyncHandler(request) {
      const target = targetOf(request, request.params.id);
      const row = await getSync(db, target, request.params.syncId);
      return { data: presentSync(row, target.hrIntegrationId, links) };
    },
  );

  app.get(
    '/hr-integrations/:id/syncs/:syncId/records',
    operation({
      id: 'listSyncRecords',
      tag: 'Roster sync',
      summary: 'List sync records',
      description:
        'What a sync did to each employee: one record per changed or failed entry and per employee missing from the roster, with the old and new values and the reasons.',
      permissions: ['view-hr-integrations', 'view-employees'],
      isKept: true,
      params: SyncParams,
      querystring: RecordsQuery,
      response: pageResponse(SyncRecordSchema, 'records', syncRecordExample),
      problems: ['not-found'],
    }),
    async function listSyncRecordsHandler(request) {
      const target = targetOf(request, request.params.id);
      const sync = await getSync(db, target, request.params.syncId);
      const { outcome, ...query } = request.query;
      const page = await listSyncRecords(db, target, sync.id, { ...query, outcomes: outcome && [outcome] });
      const { syncId } = request.params;
      return presentPage(page, request.query, (row) => presentSyncRecord(row, { ...target, syncId }, links));
    },
  );
};
