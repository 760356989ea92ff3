import { todayIn } from '../../platform/clock/clock.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { lockAbility } from '../caller.ts';
import { IntegrationParams } from '../integrations/contract.ts';
import { targetOf } from '../integrations/portal.ts';
import { portalRoutes } from '../portal-route.ts';
import { DeletionBody, DeletionPreviewSchema } from './contract.ts';
import { deleteHrIntegration, previewDeletion } from './delete-integration.ts';

export const deletionRoutes = portalRoutes((route, { streaming, slots, clock, queue, notices, employeeMails }) => {
  route('GET /integrations/:id/deletion', {
    summary: 'Preview the deletion of an integration',
    access: 'integration-deletion',
    params: IntegrationParams,
    data: DeletionPreviewSchema,
    handle(call) {
      const target = targetOf(call);
      const today = todayIn(clock, call.user.company.timeZone);
      extendTimeout(call.reply);
      return slots.longRunning.run(target, () => inSnapshot(streaming.db, (tx) => previewDeletion(tx, target, today)));
    },
  });

  route('POST /integrations/:id/deletion', {
    summary: 'Delete an integration',
    description: 'Its links are deleted. Employees that no other integration links are kept or offboarded.',
    access: 'integration-deletion',
    stepUp: true,
    params: IntegrationParams,
    body: DeletionBody,
    problems: ['confirmation-mismatch', 'sync-not-possible'],
    async handle({ request, by: { actor }, body, ...call }) {
      const target = targetOf(call);
      const { remaining, confirm: confirmed } = body;
      // Many employees may be removed at once, which can take longer than the limit for other requests.
      await writeCompany(streaming.db, target.companyId, async (tx) => {
        await lockAbility(tx, request, 'integration-deletion');
        await deleteHrIntegration(tx, { clock, queue, notices, employeeMails }, target, {
          remaining,
          confirmed,
          by: { actor },
        });
      });
    },
  });
});
