import { writeCompany } from '../../platform/db/write.ts';
import { notFound } from '../../platform/http/errors.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, Reference } from '../../platform/http/schemas.ts';
import { insertAudit } from '../activity/record.ts';
import type { Routes } from '../context.ts';
import { type AccessSettings, AccessSettingsBody, AccessSettingsSchema } from './contract.ts';
import { actorOf, userOf } from './guard.ts';

/** The rules of a company for the access of its users. */
export const accessSettingsRoutes: Routes = (app, { db, clock }) => {
  app.get(
    '/settings/access',
    portalOperation({
      id: 'getAccessSettings',
      summary: 'Get the rules for access',
      access: 'settings',
      response: { 200: DataOf(Reference(AccessSettingsSchema)) },
    }),
    async (request) => {
      const { secondFactorRequired, sessionIdleMinutes } = userOf(request).policy;
      return { data: { secondFactorRequired, sessionIdleMinutes } };
    },
  );

  app.post(
    '/settings/access',
    portalOperation({
      id: 'updateAccessSettings',
      summary: 'Change the rules for access',
      description: 'Users without a second factor must add one before anything else.',
      access: 'settings',
      stepUp: true,
      body: AccessSettingsBody,
      response: { 200: DataOf(Reference(AccessSettingsSchema)) },
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const wanted: AccessSettings = request.body;
      await writeCompany(db, companyId, async (tx) => {
        const current = await tx
          .selectFrom('companies as c')
          .select(['c.second_factor_required as secondFactorRequired', 'c.session_idle_minutes as sessionIdleMinutes'])
          .where('c.id', '=', companyId)
          .forUpdate()
          .executeTakeFirst();
        if (current === undefined) throw notFound('company');
        const { secondFactorRequired, sessionIdleMinutes } = wanted;
        await tx
          .updateTable('companies')
          .set({ second_factor_required: secondFactorRequired, session_idle_minutes: sessionIdleMinutes })
          .where('id', '=', companyId)
          .execute();
        const by = { actor: actorOf(request), at: clock.now() };
        for (const setting of ['secondFactorRequired', 'sessionIdleMinutes'] as const) {
          const [from, to] = [current[setting], wanted[setting]];
          const entry = { action: 'company.change-setting', target: setting, detail: { setting, from, to }, ...by };
          if (from !== to) await insertAudit(tx, companyId, entry);
        }
      });
      return { data: wanted };
    },
  );
};
