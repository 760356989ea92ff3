import type { CompanyContext } from '../context.ts';
import { portalRoutes } from '../portal-route.ts';
import { changeSettings, showSettings } from './change-settings.ts';
import { CompanySettingsSchema, SettingsBody } from './contract.ts';

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
});
