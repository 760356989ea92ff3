import { todayIn } from '../../platform/clock/clock.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import { actorOf, lockAbility, userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { getIntegration } from '../integrations/change-integration.ts';
import { DeletionBody, DeletionPreviewSchema, IntegrationParams } from '../integrations/contract.ts';
import { targetOf } from '../integrations/portal.ts';
import { deleteHrIntegration, previewDeletion } from './delete-integration.ts';

export const deletionRoutes: Routes = (app, { db, streaming, clock, queue, notices }) => {
  app.get(
    '/integrations/:id/deletion',
    portalOperation({
      params: IntegrationParams,
      summary: 'Preview the deletion of an integration',
      access: 'integration-deletion',
      response: { 200: DataOf(DeletionPreviewSchema) },
    }),
    async (request) => {
      const target = targetOf(request, request.params.id);
      const today = todayIn(clock, userOf(request).company.timeZone);
      return inSnapshot(db, async (tx) => {
        await getIntegration(tx, target.companyId, target.hrIntegrationId);
        const { linked, lastIds } = await previewDeletion(tx, target, today);
        return { data: { linked, last: lastIds.length } };
      });
    },
  );

  app.post(
    '/integrations/:id/deletion',
    portalOperation({
      summary: 'Delete an integration',
      description: 'Its links are deleted. Employees whom no other integration links are kept or offboarded.',
      access: 'integration-deletion',
      stepUp: true,
      params: IntegrationParams,
      body: DeletionBody,
      problems: ['confirmation-mismatch', 'sync-not-possible'],
    }),
    async (request, _reply) => {
      const target = targetOf(request, request.params.id);
      const { remaining, confirm: confirmed } = request.body;
      const by = { actor: actorOf(request) };
      // Many employees may be removed at once, which can take longer than the limit for other requests.
      await writeCompany(streaming.db, target.companyId, async (tx) => {
        await lockAbility(tx, request, 'integration-deletion');
        await deleteHrIntegration(tx, { clock, queue, notices }, target, { remaining, confirmed, by });
      });
    },
  );
};
