import type { Static } from 'typebox';
import { createMessage, type Message } from '../../../domain/messages/message.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import { ApiError, notFound } from '../../../platform/http/errors.ts';
import { portalOperation } from '../../../platform/http/portal/operation.ts';
import { DataOf, Reference } from '../../../platform/http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../../platform/http/view.ts';
import { userOf } from '../../accounts/guard.ts';
import type { Routes } from '../../context.ts';
import { assertCanSync } from '../../roster/accept.ts';
import { nameRecords } from '../../roster/columns.ts';
import type { RosterPreviewSchema } from '../../roster/contract.ts';
import { IntegrationParams } from '../contract.ts';
import { getIntegration } from '../find-integration.ts';
import { targetOf } from '../portal.ts';
import { PullBody, PullParams, PullSchema } from './contract.ts';
import { requestPull } from './schedule.ts';
import { findOpenPull, findPull, type PullRow } from './store.ts';

type Preview = Static<typeof RosterPreviewSchema>;

/** Returns the stored preview with the names of the employees, who may have changed since. */
async function presentPreview(db: Db, companyId: CompanyId, preview: unknown): Promise<Preview | null> {
  if (preview === null) return null;
  const { syncId: _, ...shown } = preview as Preview & { syncId: string };
  return { ...shown, records: await nameRecords(db, companyId, shown.records) };
}

export const presentPull = (row: PullRow, preview: Preview | null = null): Static<typeof PullSchema> => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  syncId: row.sync_id,
  pages: row.pages_read,
  people: row.people_read,
  total: row.people_total,
  reason: row.reason,
  message: row.message as Message | null,
  requestedAt: presentTimestamp(row.requested_at),
  finishedAt: presentOptionalTimestamp(row.finished_at),
  preview,
});

export const pullRoutes: Routes = (app, { db, clock, queue }) => {
  app.post(
    '/integrations/:id/pulls',
    portalOperation({
      id: 'requestPull',
      summary: 'Read the roster from the HR system now, or preview it',
      description:
        'A worker reads the roster in the background. A pull of the same kind that waits is returned instead.',
      access: 'syncs',
      params: IntegrationParams,
      body: PullBody,
      response: { 202: DataOf(Reference(PullSchema)) },
      problems: ['not-found', 'not-connectable', 'sync-not-possible'],
    }),
    async (request, reply) => {
      const target = targetOf(request, request.params.id);
      const { kind } = request.body;
      const { id: userId, name: requestedBy } = userOf(request);
      await getIntegration(db, target.companyId, target.hrIntegrationId);
      if (kind === 'manual') await assertCanSync(db, target);
      const data = await writeCompany(db, target.companyId, async (tx) => {
        const open = await findOpenPull(tx, target);
        if (open?.kind === kind && open.state === 'waiting') return presentPull(open);
        const id = await requestPull(tx, queue, target, { kind, requestedBy, userId, now: clock.now() });
        const pull = id === undefined ? undefined : await findPull(tx, target, id);
        if (pull === undefined) {
          throw new ApiError('not-connectable', createMessage('connection-without-credentials'));
        }
        return presentPull(pull);
      });
      reply.code(202);
      return { data };
    },
  );

  app.get(
    '/integrations/:id/pulls/:pullId',
    portalOperation({
      id: 'getPull',
      summary: 'Get a pull',
      access: 'read',
      params: PullParams,
      response: { 200: DataOf(Reference(PullSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const target = targetOf(request, request.params.id);
      const row = await findPull(db, target, request.params.pullId);
      if (row === undefined) throw notFound('pull');
      return { data: presentPull(row, await presentPreview(db, target.companyId, row.preview)) };
    },
  );
};
