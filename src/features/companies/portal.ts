import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import { contextOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { changeSettings, showSettings } from './change-settings.ts';
import { CompanySettingsSchema, SettingsBody } from './contract.ts';

export const settingsRoutes: Routes = (app, context) => {
  const response = { 200: DataOf(CompanySettingsSchema) };

  async function present(request: Parameters<typeof contextOf>[0]) {
    const { id: _, ...data } = await showSettings(contextOf(request, context));
    return { data };
  }

  app.get(
    '/settings',
    portalOperation({ summary: 'Get the settings of the company', access: 'settings', response }),
    present,
  );

  app.post(
    '/settings',
    portalOperation({
      summary: 'Change settings of the company',
      description:
        'Omitted settings stay unchanged. Only the operator changes time zone, plan and the retention of the audit log.',
      access: 'settings',
      body: SettingsBody,
      response,
    }),
    async (request) => {
      await changeSettings(contextOf(request, context, 'settings'), request.body);
      return present(request);
    },
  );
};
