import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { NoticeSettingsSchema, NoticeSwitch } from '../notices/contract.ts';
import { type NoticeName, noticesOf } from '../notices/rules/notices.ts';
import { portalRoutes } from '../portal-route.ts';

/** Every user decides about their own notices. */
export const noticeRoutes = portalRoutes((route, { db, notices }) => {
  route('GET /me/notices', {
    summary: 'Get which notices the user receives by mail',
    access: 'read',
    data: NoticeSettingsSchema,
    async handle({ user }) {
      const { id, companyId, roles } = user;
      const row = await db
        .selectFrom('portal_users as u')
        .select('u.switched_off_notices as switchedOff')
        .where(ofCompany(companyId, 'u'))
        .where('u.id', '=', id)
        .executeTakeFirst();
      const isOn = (notice: NoticeName) => !row?.switchedOff?.includes(notice);
      return {
        isMailConfigured: notices.isConfigured,
        notices: noticesOf(roles).map((notice) => ({ notice, isOn: isOn(notice) })),
      };
    },
  });

  route('POST /me/notices', {
    summary: 'Switch a notice by mail on or off',
    access: 'read',
    body: NoticeSwitch,
    async handle({ user, body, write }) {
      const { id, companyId } = user;
      const { notice, isOn } = body;
      await write(async (tx) => {
        const others = sql`array_remove(coalesce(u.switched_off_notices, '{}'), ${notice}::text)`;
        await sql`update portal_users u set switched_off_notices = ${isOn ? others : sql`${others} || ${notice}::text`}
          where ${ofCompany(companyId, 'u')} and u.id = ${id}`.execute(tx);
      });
    },
  });
});
