import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, describeError, notFound } from '../../platform/http/errors.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import { actorOf, userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { type BuyerSettings, buyerFields, normalizePartyField } from '../invoices/rules/parties.ts';
import { findSettings, updateSettings } from './change-settings.ts';
import { CompanySettingsSchema, SettingsBody } from './contract.ts';
import { type CompanySettings, findWrongSetting } from './rules/settings.ts';

async function getSettings(db: Db | Tx, companyId: CompanyId): Promise<CompanySettings> {
  const settings = await findSettings(db, companyId);
  if (settings === undefined) throw notFound('company');
  return settings;
}

/** Returns the given fields of the buyer as they are stored. An empty field counts as not entered. */
function readBuyer(body: Partial<BuyerSettings>): Partial<BuyerSettings> {
  const given = buyerFields.filter((field) => body[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, normalizePartyField(field, body[field] ?? '') || null]));
}

/** Throws if a setting breaks a rule that the schema cannot express, such as which locales exist. */
function assertSettings(changes: SettingsBody): void {
  const errors = Object.entries(changes).flatMap(([setting, value]) => {
    const message = findWrongSetting(setting as keyof CompanySettings, value as never);
    return message === undefined ? [] : [describeError({ pointer: `/${setting}` }, 'invalid', message)];
  });
  if (errors.length === 0) return;
  throw new ApiError('invalid-body', `${errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ')}.`, {
    errors,
  });
}

export const settingsRoutes: Routes = (app, { db, clock }) => {
  app.get(
    '/settings',
    portalOperation({
      summary: 'Get the settings of the company',
      access: 'settings',
      response: { 200: DataOf(CompanySettingsSchema) },
    }),
    async (request) => ({
      data: await getSettings(db, userOf(request).companyId),
    }),
  );

  app.post(
    '/settings',
    portalOperation({
      summary: 'Change settings of the company',
      description:
        'Omitted settings stay unchanged. Only the operator changes time zone, plan and the retention of the audit log.',
      access: 'settings',
      body: SettingsBody,
      response: { 200: DataOf(CompanySettingsSchema) },
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const { name, ...others } = request.body;
      const changes = { ...others, ...(name === undefined ? {} : { name: name.trim() }), ...readBuyer(others) };
      assertSettings(changes);
      const by = { actor: actorOf(request), at: clock.now() };
      const data = await writeCompany(db, companyId, async (tx) => {
        await updateSettings(tx, companyId, changes, by);
        return getSettings(tx, companyId);
      });
      return { data };
    },
  );
};
