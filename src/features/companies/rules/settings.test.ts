import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMessage } from '../../../domain/messages/message.ts';
import type { CompanySettings } from '../contract.ts';
import { findWrongSetting, listChanges } from './settings.ts';

const settings: CompanySettings = {
  name: 'Acme',
  locale: 'de-DE',
  timeZone: 'Europe/Berlin',
  planType: 'split-pay-plan',
  contributionCents: 2000,
  cutOffDay: 10,
  guardMinimumLinked: 100,
  guardMaximumAbsentPercent: 20,
  retentionDays: 90,
  auditRetentionDays: 730,
  joining: 'roster',
  inviteAutomatically: false,
  agreementParagraph: null,
  payrollSystem: 'csv',
  personnelNumberRule: 'hr-id',
  payrollConsultant: null,
  payrollClient: null,
  wageTypeTaxFree: null,
  wageTypeFlatTax: null,
  wageTypeDeduction: null,
  taxTreatment: 'tax-free',
  benefitValuation: 100,
  legalName: null,
  street: null,
  postCode: null,
  city: null,
  country: null,
  vatId: null,
  invoiceEmail: null,
  buyerReference: null,
};

test('valid settings', () => {
  const right: Partial<CompanySettings>[] = [
    settings,
    { locale: 'en-GB', timeZone: 'America/New_York', cutOffDay: 31, retentionDays: 0, guardMaximumAbsentPercent: 100 },
    { payrollSystem: 'datev-lodas', payrollConsultant: 1234567, payrollClient: 12345, benefitValuation: 96 },
    { wageTypeTaxFree: 700, wageTypeFlatTax: 701, wageTypeDeduction: 9100, taxTreatment: 'flat-tax' },
    { agreementParagraph: 'Bei Fragen: Łukasz Żuraw, Zimmer 4 – „Personal“, 9–15 Uhr. Ełk, Ελένη, ½ €' },
    { timeZone: 'UTC', name: 'Müller & Söhne', contributionCents: 0 },
  ];
  for (const one of right) {
    for (const [setting, value] of Object.entries(one)) {
      assert.equal(findWrongSetting(setting as keyof CompanySettings, value), undefined, `${setting} ${value}`);
    }
  }
});

for (const [setting, value] of [
  ['agreementParagraph', 'x'.repeat(601)],
  ['agreementParagraph', 'Willkommen 🎉'],
  ['agreementParagraph', '東京'],
  ['agreementParagraph', 'a\u202eb'],
  ['cutOffDay', 0],
  ['cutOffDay', 32],
  ['cutOffDay', 1.5],
  ['guardMinimumLinked', 0],
  ['guardMaximumAbsentPercent', 101],
  ['retentionDays', -1],
  ['auditRetentionDays', 29],
  ['contributionCents', -1],
  ['contributionCents', Number.NaN],
  ['payrollConsultant', 0],
  ['payrollConsultant', 12345678],
  ['payrollClient', 100000],
  ['wageTypeTaxFree', 0],
  ['wageTypeDeduction', 10000],
  ['benefitValuation', 95],
  ['cutOffDay', null],
  ['locale', 'german'],
  ['locale', 'de_DE'],
  ['locale', 'de-de'],
  ['locale', ''],
  ['timeZone', 'Europe/Nowhere'],
  ['timeZone', '+01:00'],
  ['timeZone', ''],
  ['name', '  '],
  ['name', 'a\u0000b'],
  ['name', 'x'.repeat(201)],
] as const) {
  test(`${setting} cannot be ${JSON.stringify(value).slice(0, 30)}`, () => {
    const problem = findWrongSetting(setting, value as never);
    assert.match(problem ? formatMessage(problem) : '', /^must /);
  });
}

test('changes are the differences, each with from and to', () => {
  assert.deepEqual(listChanges(settings, { cutOffDay: 15, retentionDays: 90, locale: 'en-GB' }), [
    { setting: 'locale', from: 'de-DE', to: 'en-GB' },
    { setting: 'cutOffDay', from: 10, to: 15 },
  ]);
  assert.deepEqual(listChanges(settings, { payrollClient: 12345, wageTypeFlatTax: null }), [
    { setting: 'payrollClient', from: null, to: 12345 },
  ]);
  assert.deepEqual(listChanges({ ...settings, payrollClient: 12345 }, { payrollClient: null }), [
    { setting: 'payrollClient', from: 12345, to: null },
  ]);
  assert.deepEqual(listChanges(settings, {}), []);
});
