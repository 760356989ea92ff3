import { findSettings, updateSettings } from '../company-settings.ts';
import type { Routes } from '../context.ts';
import type { CompanyId } from '../db/company-scope.ts';
import type { Db, Tx } from '../db/database.ts';
import { type CompanySettings, describeWrongSetting } from '../domain/company-settings.ts';
import { ApiError, notFound } from '../errors.ts';
import { type Data, SettingsBody } from './contract.ts';
import { actorOf, userOf } from './guard.ts';

async function getSettings(db: Db | Tx, companyId: CompanyId): Promise<CompanySettings> {
  const settings = await findSettings(db, companyId);
  if (settings === undefined) throw notFound('company');
  return settings;
}

/** Throws if a setting breaks a rule that the schema cannot express, such as which locales exist. */
function assertSettings(wanted: SettingsBody): void {
  const errors = Object.entries(wanted).flatMap(([setting, value]) => {
    const detail = describeWrongSetting(setting as keyof CompanySettings, value as never);
    return detail === undefined ? [] : [{ pointer: `/${setting}`, code: 'invalid', detail }];
  });
  if (errors.length === 0) return;
  throw new ApiError('invalid-body', `${errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ')}.`, {
    errors,
  });
}

export const settingsRoutes: Routes = (app, { db, clock }) => {
  app.get(
    '/settings',
    { config: { portal: 'settings' }, schema: { hide: true } },
    async (request): Promise<Data<CompanySettings>> => ({
      data: await getSettings(db, userOf(request).companyId),
    }),
  );

  app.post(
    '/settings',
    { config: { portal: 'settings' }, schema: { hide: true, body: SettingsBody } },
    async (request): Promise<Data<CompanySettings>> => {
      const { companyId } = userOf(request);
      const { name, ...others } = request.body;
      const wanted = { ...others, ...(name === undefined ? {} : { name: name.trim() }) };
      assertSettings(wanted);
      const by = { actor: actorOf(request), at: clock.now() };
      const data = await db.transaction().execute(async (tx) => {
        await updateSettings(tx, companyId, wanted, by);
        return getSettings(tx, companyId);
      });
      return { data };
    },
  );
};
