import { type Static, Type } from 'typebox';
import { agreementParagraphLimit, benefitValuations, logoLimits, settingRanges } from '../../domain/choices.ts';
import { joiningWays, payrollSystems, personnelNumberRules, planTypes, taxTreatments } from '../../domain/enums.ts';
import { Closed, Name } from '../../platform/http/portal/schemas.ts';
import { Enum, Nullable } from '../../platform/http/schemas.ts';

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

const joiningSettings = { joining: Enum(joiningWays), inviteAutomatically: Type.Boolean() };

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

export const CompanySettingsSchema = Closed({
  name: Type.String(),
  locale: Type.String(),
  timeZone: Type.String(),
  planType: Enum(planTypes),
  ...rangedSettings,
  auditRetentionDays: Ranged(settingRanges.auditRetentionDays),
  ...joiningSettings,
  agreementParagraph: Nullable(Type.String(), 'Printed in every agreement, as a paragraph of its own.'),
  ...payrollSettings,
  ...buyerSettings,
});

export type CompanySettings = Static<typeof CompanySettingsSchema>;

export const SettingsBody = Closed({
  ...Type.Partial(
    Closed({
      name: Name(200),
      locale: Type.String({ minLength: 2, maxLength: 35 }),
      ...rangedSettings,
      agreementParagraph: Nullable(Type.String({ maxLength: 2 * agreementParagraphLimit })),
      ...joiningSettings,
      ...payrollSettings,
      ...buyerSettings,
    }),
  ).properties,
});

export type SettingsBody = Static<typeof SettingsBody>;

/** Base64 takes a third more than the file. */
export const maxLogoCharacters = Math.ceil(logoLimits.bytes / 3) * 4;

/** The logo on the letters of the company. */
export const LogoSchema = Closed({
  content: Nullable(
    Type.String({ maxLength: maxLogoCharacters, pattern: '^[A-Za-z0-9+/]+={0,2}$' }),
    'The PNG file in Base64. Null: none.',
  ),
});

export type Logo = Static<typeof LogoSchema>;
