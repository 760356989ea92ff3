import { portalRoutes } from '../portal-route.ts';
import { KeptMailsQuery, KeptMailsSchema, MailSettingsBody, MailSettingsSchema } from './contract.ts';
import { listKeptMails } from './kept.ts';
import { changeMailSettings, showMailSettings } from './settings.ts';

export const employeeMailRoutes = portalRoutes((route, { config, encryption }) => {
  route('GET /settings/mails', {
    summary: 'Get which mails employees receive',
    access: 'settings',
    data: MailSettingsSchema,
    handle: showMailSettings,
  });

  route('POST /settings/mails', {
    summary: 'Change which mails employees receive',
    description: 'Omitted mails stay as they are.',
    access: 'settings',
    body: MailSettingsBody,
    data: MailSettingsSchema,
    async handle(call) {
      await changeMailSettings(call, call.body);
      return showMailSettings(call);
    },
  });

  // They contain links by which anybody is the employee, so nobody may read them in production.
  if (config.environment !== 'staging') return;
  route('GET /kept-mails', {
    summary: 'List mails to employees that staging has not sent',
    description: 'Exists on staging only. The newest, with the links that they contain.',
    access: 'kept-mails',
    query: KeptMailsQuery,
    data: KeptMailsSchema,
    problems: ['route-not-found'],
    handle: (call) => listKeptMails(call, encryption, call.query),
  });
});
