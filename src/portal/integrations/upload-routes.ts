import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { todayIn } from '../../clock.ts';
import { lockIntegration } from '../../companies.ts';
import type { Routes } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { writeCompany } from '../../db/write.ts';
import { acceptSync, assertCanSync, findSameSync } from '../../hr-integrations/sync/accept.ts';
import { summarizeSync } from '../../hr-integrations/sync/preview.ts';
import { findSync, listSyncs } from '../../hr-integrations/sync/queries.ts';
import type { Roster } from '../../hr-integrations/sync/read-roster.ts';
import { reportAccepted } from '../../hr-integrations/sync/report-accepted.ts';
import type { SyncTarget } from '../../hr-integrations/sync/target.ts';
import { createConcurrencyLimit } from '../../http/concurrency-limit.ts';
import { extendTimeout } from '../../http/extend-timeout.ts';
import { assertPlainBody } from '../../http/plain-body.ts';
import { DataOf, Reference } from '../../http/schemas.ts';
import { userOf } from '../guard.ts';
import { portalOperation } from '../operation.ts';
import { Closed } from '../schemas.ts';
import { readUpload } from './read-upload.ts';
import { targetOf } from './routes.ts';
import { IntegrationParams, RosterPreviewSchema, rosterUpload } from './schema.ts';

const maxRecords = 200;

/**
 * Returns a syncId for a roster that has none. The same file uploaded again before it is applied is the same sync.
 * Afterwards it is a new sync: a user who uploads the morning's file again wants to return to it.
 */
async function nameUpload(tx: Tx, target: SyncTarget, { contentHash }: Roster, day: Temporal.PlainDate) {
  await lockIntegration(tx, target);
  const name = `upload-${day}-${contentHash.toString('hex').slice(0, 12)}`;
  const [newest] = (await listSyncs(tx, target, { page: 1, perPage: 1 })).rows;
  const isApplied = newest?.state === 'succeeded' || newest?.state === 'partially-failed';
  if (newest?.sync_id.startsWith(name) && !isApplied) return newest.sync_id;
  let free = name;
  for (let number = 2; await findSync(tx, target, free); number++) free = `${name}-${number}`;
  return free;
}

export const uploadRoutes: Routes = (app, { config, db, streaming, clock, queue, metrics }) => {
  const limits = { maxBytes: config.maxSyncBytes, maxEntries: config.maxSyncEntries };
  const admitPreview = createConcurrencyLimit(config.heavyRequestsPerKey, 'of your previews');
  const problems = [
    'not-found',
    'malformed-body',
    'request-timeout',
    'sync-not-possible',
    'body-too-large',
    'unsupported-media-type',
    'invalid-roster',
    'sync-id-reused',
  ] as const;
  const upload = { access: 'syncs', params: IntegrationParams, upload: rosterUpload, problems } as const;

  async function receive(request: FastifyRequest, id: number) {
    const target = targetOf(request, id);
    assertPlainBody(request);
    await assertCanSync(db, target);
    const today = todayIn(clock, userOf(request).company.timeZone);
    return { target, ...(await readUpload(request.body as Readable, request, { ...limits, today })) };
  }

  app.register(async (scope) => {
    // The handler reads the body as it arrives. The body is never in memory as a whole.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(['application/json', 'text/csv'], (_request, payload, done) => done(null, payload));

    scope.post(
      '/integrations/:id/preview',
      {
        ...portalOperation({
          id: 'previewRoster',
          summary: 'Preview a roster',
          description: 'Returns what the roster would change. Changes nothing.',
          ...upload,
          response: { 200: DataOf(Reference(RosterPreviewSchema)) },
        }),
        bodyLimit: limits.maxBytes,
      },
      async (request, reply) => {
        admitPreview(userOf(request).id, reply);
        const { target, roster, isNamed } = await receive(request, (request.params as { id: number }).id);
        extendTimeout(reply);
        if (isNamed) await findSameSync(db, target, roster);
        return { data: await summarizeSync({ db: streaming.db, clock, target }, roster, maxRecords) };
      },
    );

    scope.post(
      '/integrations/:id/sync',
      {
        ...portalOperation({
          id: 'pushRoster',
          summary: 'Push a roster',
          description: 'The roster is stored and will be applied in the background.',
          ...upload,
          response: { 202: DataOf(Closed({ syncId: Type.String() })) },
        }),
        bodyLimit: limits.maxBytes,
      },
      async (request, reply) => {
        const { target, roster, isNamed } = await receive(request, (request.params as { id: number }).id);
        const { id: userId, name: pushedBy, company } = userOf(request);
        const { syncId, isNew } = await writeCompany(db, target.companyId, async (tx) => {
          const name = isNamed ? roster.syncId : await nameUpload(tx, target, roster, todayIn(clock, company.timeZone));
          const push = { pushedBy, userId, requestId: request.id, now: clock.now() };
          const isNew = await acceptSync(tx, queue, { target, roster: { ...roster, syncId: name }, push });
          return { syncId: name, isNew };
        });
        reportAccepted({ request, reply, metrics }, target, { ...roster, syncId }, isNew);
        reply.code(202);
        return { data: { syncId } };
      },
    );
  });
};
