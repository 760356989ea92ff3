import type { CompanyContext } from '../context.ts';
import { portalRoutes } from '../portal-route.ts';
import { changeSettings, showSettings } from './change-settings.ts';
import { CompanySettingsSchema, LogoSchema, maxLogoCharacters, SettingsBody } from './contract.ts';
import { changeLogo, findLogo } from './logo.ts';

async function present(context: CompanyContext) {
  const { id: _, ...settings } = await showSettings(context);
  return settings;
}

export const settingsRoutes = portalRoutes((route) => {
  route('GET /settings', {
    summary: 'Get the settings of the company',
    access: 'settings',
    data: CompanySettingsSchema,
    handle: present,
  });

  route('POST /settings', {
    summary: 'Change settings of the company',
    description:
      'Omitted settings stay unchanged. Only the operator changes time zone, plan and the retention of the audit log.',
    access: 'settings',
    body: SettingsBody,
    data: CompanySettingsSchema,
    async handle(call) {
      await changeSettings(call, call.body);
      return present(call);
    },
  });

  route('GET /settings/logo', {
    summary: 'Get the logo of the company',
    access: 'settings',
    data: LogoSchema,
    handle: async ({ db, companyId }) => ({ content: (await findLogo(db, companyId))?.toString('base64') ?? null }),
  });

  route('POST /settings/logo', {
    summary: 'Change the logo of the company',
    description: 'Letters that are written from then on show it.',
    access: 'settings',
    body: LogoSchema,
    data: LogoSchema,
    problems: ['body-too-large', 'unsupported-media-type'],
    options: { bodyLimit: 1024 + maxLogoCharacters },
    async handle(call) {
      const { content } = call.body;
      await changeLogo(call, content === null ? null : Buffer.from(content, 'base64'));
      return { content };
    },
  });
});
