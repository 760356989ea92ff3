import { Select, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { settingRanges } from '../../../../src/domain/choices.ts';
import type { CompanySettings, SettingsBody } from '../../../../src/features/companies/contract.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { WholeNumberInput } from '../../ui/WholeNumberInput.tsx';
import { order } from './order.ts';
import { texts } from './texts.ts';

const adviser = ['payrollConsultant', 'payrollClient'] as const;
const wageTypes = ['wageTypeTaxFree', 'wageTypeFlatTax', 'wageTypeDeduction'] as const;
const valuations = [100, 96] as const;

interface PayrollFieldsProps {
  values: Pick<CompanySettings, 'payrollSystem' | 'personnelNumberRule' | 'taxTreatment' | 'benefitValuation'> & {
    [setting in (typeof adviser)[number] | (typeof wageTypes)[number]]: number | null;
  };
  edit(change: SettingsBody): void;
  editTyped(setting: keyof SettingsBody): (value: number | null | undefined) => void;
  errorOf(setting: keyof SettingsBody): ReactNode;
}

/** The settings that payroll files need. Empty numbers are allowed: an export then names what is missing. */
export function PayrollFields({ values, edit, editTyped, errorOf }: PayrollFieldsProps) {
  const t = useTexts(texts);
  const words = useWords();
  const choices = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));
  const number = (setting: (typeof adviser)[number] | (typeof wageTypes)[number]) => (
    <WholeNumberInput
      key={setting}
      inputWrapperOrder={order}
      label={t(setting)}
      description={t(`${setting}Hint`)}
      number={values[setting]}
      onNumber={editTyped(setting)}
      error={errorOf(setting)}
      range={settingRanges[setting]}
      isOptional
    />
  );
  return (
    <Stack component="section" gap="md">
      <div>
        <Title order={2}>{t('payroll')}</Title>
        <Text size="sm" c="dimmed">
          {t('payrollHint')}
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, md: 2 }} verticalSpacing="lg">
        <Select
          inputWrapperOrder={order}
          label={t('payrollSystem')}
          description={t('payrollSystemHint')}
          data={choices(words.payrollSystem)}
          value={values.payrollSystem}
          onChange={(value) => value && edit({ payrollSystem: value as CompanySettings['payrollSystem'] })}
          error={errorOf('payrollSystem')}
          allowDeselect={false}
        />
        <Select
          inputWrapperOrder={order}
          label={t('taxTreatment')}
          description={t('taxTreatmentHint')}
          data={choices(words.taxTreatment)}
          value={values.taxTreatment}
          onChange={(value) => value && edit({ taxTreatment: value as CompanySettings['taxTreatment'] })}
          error={errorOf('taxTreatment')}
          allowDeselect={false}
        />
        <Select
          inputWrapperOrder={order}
          label={t('benefitValuation')}
          description={t('benefitValuationHint')}
          data={valuations.map((percent) => ({ value: String(percent), label: t(`valuation${percent}`) }))}
          value={String(values.benefitValuation)}
          onChange={(value) =>
            value && edit({ benefitValuation: Number(value) as CompanySettings['benefitValuation'] })
          }
          error={errorOf('benefitValuation')}
          allowDeselect={false}
        />
        <Select
          inputWrapperOrder={order}
          label={t('personnelNumberRule')}
          description={t('personnelNumberRuleHint')}
          data={choices(words.personnelNumberRule)}
          value={values.personnelNumberRule}
          onChange={(value) => value && edit({ personnelNumberRule: value as CompanySettings['personnelNumberRule'] })}
          error={errorOf('personnelNumberRule')}
          allowDeselect={false}
        />
        {wageTypes.map(number)}
        {adviser.map(number)}
      </SimpleGrid>
    </Stack>
  );
}
