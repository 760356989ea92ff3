import {
  Anchor,
  Card,
  Group,
  Select,
  type SelectProps,
  SimpleGrid,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Fragment, Suspense, useState } from 'react';
import { agreementParagraphLimit, settingRanges } from '../../../../src/domain/choices.ts';
import type { AccessSettings } from '../../../../src/features/accounts/contract.ts';
import type { CompanySettings, SettingsBody } from '../../../../src/features/companies/contract.ts';
import { useGet, usePost } from '../../app/api/queries.ts';
import type { ProblemError } from '../../app/api/request.ts';
import { type Language, useLanguage } from '../../app/i18n/language.tsx';
import { useMessages } from '../../app/i18n/messages.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, Notice } from '../../ui/Action.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Form, useChangeForm } from '../../ui/Form.tsx';
import { WholeNumberInput } from '../../ui/fields.tsx';
import { IconCircleCheck } from '../../ui/icons.gen.ts';
import { Page, Section } from '../../ui/layout.tsx';
import { Query, RoleGate } from '../../ui/Query.tsx';
import { Hint } from '../../ui/text.tsx';
import { EurosInput } from './EurosInput.tsx';
import { LogoSection } from './LogoSection.tsx';
import { MailsSection } from './MailsSection.tsx';
import { texts } from './texts.ts';

const touched = ['settings', 'activity', 'me', 'overview', 'payroll'];

/** Places the hint below the field, so that fields side by side stay aligned when one of them has an error. */
const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

type Count = 'cutOffDay' | 'guardMinimumLinked' | 'guardMaximumAbsentPercent' | 'retentionDays';
const wageTypes = ['wageTypeTaxFree', 'wageTypeFlatTax', 'wageTypeDeduction'] as const;
const optionalNumbers = [...wageTypes, 'payrollConsultant', 'payrollClient'] as const;
const valuations = [100, 96] as const;
const selected = ['payrollSystem', 'taxTreatment', 'benefitValuation', 'personnelNumberRule'] as const;
const address = ['legalName', 'street', 'postCode', 'city', 'country'] as const;
const buyerFields = [...address, 'vatId', 'invoiceEmail', 'buyerReference'] as const;

function RulesForm({ rules }: { rules: AccessSettings }) {
  const { t } = useReader(texts);
  const save = usePost<AccessSettings, AccessSettings>('/settings/access', [
    'access-settings',
    'activity',
    'me',
    'second-factor',
  ]);
  const [isWrong, setWrong] = useState(false);
  const form = useChangeForm({ initial: { ...rules }, change: save, input: (values) => values });
  return (
    <Form of={form} submitLabel={t(save.isSuccess ? 'accessSaved' : 'saveAccess')} disabled={isWrong}>
      <Switch
        {...form.getInputProps('secondFactorRequired', { type: 'checkbox' })}
        label={t('requireSecondFactor')}
        description={t('requireSecondFactorHint')}
      />
      <WholeNumberInput
        label={t('idleMinutes')}
        description={t('idleMinutesHint')}
        range={[5, 10_080]}
        maw={320}
        number={form.values.sessionIdleMinutes}
        onNumber={(minutes) => {
          setWrong(minutes == null);
          if (minutes != null) form.setFieldValue('sessionIdleMinutes', minutes);
        }}
      />
    </Form>
  );
}

/** The rules of the company for the access of its users. */
function AccessRules() {
  const { t } = useReader(texts);
  return (
    <Section title={t('accessTitle')}>
      <Query of={useGet<AccessSettings>(['access-settings'], '/settings/access')} skeleton={false}>
        {(rules) => <RulesForm rules={rules} />}
      </Query>
    </Section>
  );
}

type Setting = keyof SettingsBody;

interface ReasonProps {
  setting: Setting;
  error: ProblemError;
}

const specialErrors = { locale: 'wrongLocale', buyerReference: 'wrongBuyerReference' } as const;

function ExactReason({ setting, error }: ReasonProps) {
  const { t } = useReader(texts);
  const { renderMessage } = useMessages();
  const reason = renderMessage(error.message);
  return reason === undefined
    ? t('wrong')
    : `${t(setting === 'contributionCents' ? 'contribution' : setting)} ${reason}.`;
}

function Reason(props: ReasonProps) {
  const { t } = useReader(texts);
  const special = specialErrors[props.setting as keyof typeof specialErrors];
  if (special !== undefined) return t(special);
  return (
    <Suspense fallback={t('wrong')}>
      <ExactReason {...props} />
    </Suspense>
  );
}

const choices = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));

const grid = { cols: { base: 1, md: 2 }, verticalSpacing: 'lg' } as const;

const locales = ['de-DE', 'de-AT', 'de-CH', 'en-GB', 'en-IE', 'en-US'] as const;

/** Offers the usual languages with their form of numbers, and the current one if it is another. */
const localeChoices = (current: string) =>
  [...new Set([...locales, current])].map((value) => {
    const name = new Intl.DisplayNames(value, { type: 'language' }).of(value) ?? value;
    const example = new Intl.NumberFormat(value, { style: 'currency', currency: 'EUR' }).format(1234.5);
    return { value, label: `${name}: ${example}` };
  });

/** The countries of the EU and their neighbours, in which companies with employees in Germany have their seat. */
const countries =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LI LT LU LV MT NL NO PL PT RO SE SI SK US'.split(' ');

function countryChoices(language: Language, current: string) {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const named = [...new Set([...countries, current])].map((value) => ({ value, label: names.of(value) ?? value }));
  return named.toSorted((a, b) => a.label.localeCompare(b.label, language));
}

/** Saves what was changed. Empty numbers of payroll are allowed: an export then names what is missing. */
function SettingsForm({ settings }: { settings: CompanySettings }) {
  const { t, words } = useReader(texts);
  const { language } = useLanguage();
  const save = usePost<CompanySettings, SettingsBody>('/settings', touched);
  const { timeZone, planType, auditRetentionDays, ...editable } = settings;
  /** The fields whose text is no number: nothing can be saved then. */
  const [wrong, setWrong] = useState<readonly Setting[]>([]);
  const form = useChangeForm({
    initial: editable,
    change: save,
    input: (values): SettingsBody =>
      Object.fromEntries(Object.entries(values).filter(([name]) => form.isDirty(name as Setting))),
    explain: (error) => <Reason setting={(error.pointer ?? '').slice(1) as Setting} error={error} />,
    onDone: (_saved, values) => form.resetDirty(values),
  });
  const { values } = form;
  const labelOf = (setting: Setting) => t(setting === 'contributionCents' ? 'contribution' : setting);
  const [reset, setReset] = useState(0);
  const discard = () => {
    form.setValues(editable);
    form.clearErrors();
    setWrong([]);
    // Fields that keep what is typed begin anew.
    setReset(reset + 1);
  };
  const show = (setting: Setting) => document.querySelector<HTMLElement>(`[data-setting=${setting}]`)?.focus();
  const common = (setting: Setting) => ({
    'data-setting': setting,
    inputWrapperOrder: order,
    label: labelOf(setting),
    description: t(setting === 'contributionCents' ? 'contributionHint' : `${setting}Hint`),
    error: form.errors[setting],
  });
  const setNumber = (setting: Setting) => (value: number | null | undefined) => {
    const others = wrong.filter((one) => one !== setting);
    setWrong(value === undefined ? [...others, setting] : others);
    if (value !== undefined) form.setFieldValue(setting, value);
  };
  const number = (setting: Count | (typeof optionalNumbers)[number], isOptional: boolean) => (
    <WholeNumberInput
      {...common(setting)}
      key={setting}
      number={values[setting]}
      onNumber={setNumber(setting)}
      range={settingRanges[setting]}
      isOptional={isOptional}
    />
  );
  const options = {
    payrollSystem: choices(words.payrollSystem),
    taxTreatment: choices(words.taxTreatment),
    benefitValuation: valuations.map((percent) => ({ value: String(percent), label: t(`valuation${percent}`) })),
    personnelNumberRule: choices(words.personnelNumberRule),
  };
  const text = (setting: 'name' | (typeof buyerFields)[number]) => (
    <TextInput
      {...common(setting)}
      key={setting}
      {...(setting === 'invoiceEmail' ? { type: 'email' } : {})}
      value={values[setting] ?? ''}
      onChange={(event) => form.setFieldValue(setting, event.currentTarget.value || (setting === 'name' ? '' : null))}
      required={setting === 'name'}
      maxLength={setting === 'invoiceEmail' ? 254 : 200}
    />
  );
  const choice = (
    setting: 'locale' | 'country' | 'joining' | (typeof selected)[number],
    data: NonNullable<SelectProps['data']>,
  ) => (
    <Select
      {...common(setting)}
      key={setting}
      data={data}
      value={values[setting] === null ? 'DE' : String(values[setting])}
      onChange={(value) => form.setValues({ [setting]: setting === 'benefitValuation' ? Number(value) : value })}
      allowDeselect={false}
      searchable={setting === 'country'}
    />
  );
  const changed = (Object.keys(values) as Setting[]).filter((setting) => form.isDirty(setting));
  const faulty = (Object.keys(values) as Setting[]).filter(
    (setting) => wrong.includes(setting) || Boolean(form.errors[setting]),
  );
  return (
    <>
      {save.isSuccess && changed.length === 0 && (
        <Notice color="teal" role="status" icon={<IconCircleCheck size={18} />} text={t('saved')} />
      )}
      <Form of={form} key={reset}>
        <Section title={t('company')}>
          <SimpleGrid {...grid}>
            {text('name')}
            {choice('locale', localeChoices(settings.locale))}
          </SimpleGrid>
        </Section>
        <Section title={t('subscriptions')}>
          <SimpleGrid {...grid}>
            {number('cutOffDay', false)}
            <EurosInput
              {...common('contributionCents')}
              key="contributionCents"
              cents={values.contributionCents}
              onCents={setNumber('contributionCents')}
              range={settingRanges.contributionCents}
            />
          </SimpleGrid>
        </Section>
        <Section title={t('joiningTitle')}>
          <Hint mb="md">{t('joiningExplained')}</Hint>
          <SimpleGrid {...grid}>
            {choice('joining', choices(words.joining))}
            <Switch
              data-setting="inviteAutomatically"
              label={t('inviteAutomatically')}
              description={t('inviteAutomaticallyHint')}
              mt={{ base: 0, md: 'lg' }}
              checked={values.inviteAutomatically && values.joining !== 'roster'}
              disabled={values.joining === 'roster'}
              onChange={(event) => form.setFieldValue('inviteAutomatically', event.currentTarget.checked)}
            />
          </SimpleGrid>
        </Section>
        <Section title={t('agreementsTitle')}>
          <Textarea
            {...common('agreementParagraph')}
            value={values.agreementParagraph ?? ''}
            onChange={(event) => form.setFieldValue('agreementParagraph', event.currentTarget.value || null)}
            maxLength={agreementParagraphLimit}
            autosize
            minRows={2}
          />
        </Section>
        <Section title={t('rosters')}>
          <SimpleGrid {...grid}>
            {number('guardMinimumLinked', false)}
            {number('guardMaximumAbsentPercent', false)}
            {number('retentionDays', false)}
          </SimpleGrid>
        </Section>
        <Section title={t('payroll')}>
          <Hint mb="md">{t('payrollHint')}</Hint>
          <SimpleGrid {...grid}>
            {selected.map((setting) => choice(setting, options[setting]))}
            {optionalNumbers.map((setting) => number(setting, true))}
          </SimpleGrid>
        </Section>
        <Section title={t('invoices')}>
          <Hint mb="md">{t('invoicesHint')}</Hint>
          <SimpleGrid {...grid}>
            {buyerFields.map((setting) =>
              setting === 'country'
                ? choice('country', countryChoices(language, settings.country ?? 'DE'))
                : text(setting),
            )}
          </SimpleGrid>
        </Section>
        <Card padding="sm" className="selection-bar" shadow="md" role="region" aria-label={t('save')}>
          <Group gap="xs" justify="space-between">
            {faulty.length > 0 ? (
              <Text c="var(--mantine-color-red-light-color)" role="alert">
                {t('faulty')}{' '}
                {faulty.map((setting, index) => (
                  <Fragment key={setting}>
                    {index > 0 && ', '}
                    <Anchor
                      component="button"
                      type="button"
                      c="inherit"
                      underline="always"
                      onClick={() => show(setting)}
                    >
                      {labelOf(setting)}
                    </Anchor>
                  </Fragment>
                ))}
              </Text>
            ) : (
              <Hint>{changed.length === 0 ? t('unchanged') : t('changed', { count: changed.length })}</Hint>
            )}
            <Group gap="xs">
              {changed.length + wrong.length > 0 && (
                <Action variant="default" onClick={discard} label={t('discard')} disabled={save.isPending} />
              )}
              <Action
                type="submit"
                disabled={changed.length === 0 || wrong.length > 0}
                loading={save.isPending}
                label={t('save')}
              />
            </Group>
          </Group>
        </Card>
      </Form>
      <Section title={t('fixed')}>
        <Facts
          labelWidth={210}
          facts={[
            [t('timeZone'), timeZone],
            [t('plan'), words.plan[planType]],
            [t('auditRetention'), t('days', { count: auditRetentionDays })],
          ]}
        />
        <Hint mt="sm">{t('operatorHint')}</Hint>
      </Section>
    </>
  );
}

function Settings() {
  return (
    <Query of={useGet<CompanySettings>(['settings'], '/settings')} skeleton={false}>
      {(settings) => (
        <>
          <SettingsForm settings={settings} />
          {/* After the form, so that the form does not push it down. */}
          <LogoSection />
          <MailsSection />
          <AccessRules />
        </>
      )}
    </Query>
  );
}

export function Component() {
  const { t } = useReader(texts);
  return (
    <Page title={t('settings')} description={t('description')}>
      <RoleGate ability="settings">
        <Settings />
      </RoleGate>
    </Page>
  );
}
