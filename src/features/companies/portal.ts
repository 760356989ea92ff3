import { type Static, Type } from 'typebox';
import { payrollSystems, personnelNumberRules, planTypes, taxTreatments } from '../../domain/enums.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, describeError, notFound } from '../../platform/http/errors.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { Closed, Name } from '../../platform/http/portal/schemas.ts';
import { DataOf, Enum, Named, Nullable, Reference } from '../../platform/http/schemas.ts';
import { actorOf, userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { type BuyerSettings, buyerFields, normalizePartyField } from '../invoices/rules/parties.ts';
import { findSettings, updateSettings } from './change-settings.ts';
import { benefitValuations, type CompanySettings, findWrongSetting, settingRanges } from './rules/settings.ts';

const Ranged = ([minimum, maximum]: readonly [number, number]) => Type.Integer({ minimum, maximum });

const rangedSettings = {
  contributionCents: Ranged(settingRanges.contributionCents),
  cutOffDay: Ranged(settingRanges.cutOffDay),
  guardMinimumLinked: Ranged(settingRanges.guardMinimumLinked),
  guardMaximumAbsentPercent: Ranged(settingRanges.guardMaximumAbsentPercent),
  retentionDays: Ranged(settingRanges.retentionDays),
};

const payrollSettings = {
  payrollSystem: Enum(payrollSystems),
  personnelNumberRule: Enum(personnelNumberRules),
  payrollConsultant: Nullable(Ranged(settingRanges.payrollConsultant)),
  payrollClient: Nullable(Ranged(settingRanges.payrollClient)),
  wageTypeTaxFree: Nullable(Ranged(settingRanges.wageTypeTaxFree)),
  wageTypeFlatTax: Nullable(Ranged(settingRanges.wageTypeFlatTax)),
  wageTypeDeduction: Nullable(Ranged(settingRanges.wageTypeDeduction)),
  taxTreatment: Enum(taxTreatments),
  benefitValuation: Type.Integer({ enum: benefitValuations }),
};

const BuyerField = () => Nullable(Type.String({ maxLength: 254 }));

/** What stands on the company's invoices. Null: not entered. */
const buyerSettings = {
  legalName: BuyerField(),
  street: BuyerField(),
  postCode: BuyerField(),
  city: BuyerField(),
  country: BuyerField(),
  vatId: BuyerField(),
  invoiceEmail: BuyerField(),
  buyerReference: BuyerField(),
};

export const CompanySettingsSchema = Named(
  'CompanySettings',
  Closed({
    name: Type.String(),
    locale: Type.String(),
    timeZone: Type.String(),
    planType: Enum(planTypes),
    ...rangedSettings,
    auditRetentionDays: Ranged(settingRanges.auditRetentionDays),
    ...payrollSettings,
    ...buyerSettings,
  }),
);

const SettingsBody = Closed({
  ...Type.Partial(
    Closed({
      name: Name(200),
      locale: Type.String({ minLength: 2, maxLength: 35 }),
      ...rangedSettings,
      ...payrollSettings,
      ...buyerSettings,
    }),
  ).properties,
});
type SettingsBody = Static<typeof SettingsBody>;

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
      id: 'getSettings',
      summary: 'Get the settings of the company',
      access: 'settings',
      response: { 200: DataOf(Reference(CompanySettingsSchema)) },
    }),
    async (request) => ({
      data: await getSettings(db, userOf(request).companyId),
    }),
  );

  app.post(
    '/settings',
    portalOperation({
      id: 'updateSettings',
      summary: 'Change settings of the company',
      description:
        'Omitted settings stay unchanged. Only the operator changes time zone, plan and the retention of the audit log.',
      access: 'settings',
      body: SettingsBody,
      response: { 200: DataOf(Reference(CompanySettingsSchema)) },
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
