import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import { userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { NoticeSettingsSchema, NoticeSwitch } from './contract.ts';
import { type NoticeName, noticesOf } from './rules/notices.ts';

/** Every user decides about their own notices. */
export const noticeRoutes: Routes = (app, { db, notices }) => {
  app.get(
    '/me/notices',
    portalOperation({
      summary: 'Get which notices the user receives by mail',
      access: 'read',
      response: { 200: DataOf(NoticeSettingsSchema) },
    }),
    async (request) => {
      const { id, companyId, roles } = userOf(request);
      const row = await db
        .selectFrom('portal_users as u')
        .select('u.switched_off_notices as switchedOff')
        .where(ofCompany(companyId, 'u'))
        .where('u.id', '=', id)
        .executeTakeFirst();
      const isOn = (notice: NoticeName) => !row?.switchedOff?.includes(notice);
      return {
        data: {
          isMailConfigured: notices.isConfigured,
          notices: noticesOf(roles).map((notice) => ({ notice, isOn: isOn(notice) })),
        },
      };
    },
  );

  app.post(
    '/me/notices',
    portalOperation({ summary: 'Switch a notice by mail on or off', access: 'read', body: NoticeSwitch }),
    async (request) => {
      const { id, companyId } = userOf(request);
      const { notice, isOn } = request.body;
      await writeCompany(db, companyId, async (tx) => {
        const others = sql`array_remove(coalesce(u.switched_off_notices, '{}'), ${notice}::text)`;
        await sql`update portal_users u set switched_off_notices = ${isOn ? others : sql`${others} || ${notice}::text`}
          where ${ofCompany(companyId, 'u')} and u.id = ${id}`.execute(tx);
      });
    },
  );
};
