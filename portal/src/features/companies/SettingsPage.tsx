import { Alert, Button, Card, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type FormEvent, Suspense, useState } from 'react';
import { settingRanges } from '../../../../src/domain/choices.ts';
import type { CompanySettings, SettingsBody } from '../../../../src/features/companies/contract.ts';
import { ApiProblem, type ProblemError } from '../../app/api/request.ts';
import { useMessages } from '../../app/i18n/messages.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { RoleGate } from '../../ui/RoleGate.tsx';
import { Section } from '../../ui/Section.tsx';
import { WholeNumberInput } from '../../ui/WholeNumberInput.tsx';
import { AccessRules } from './AccessRules.tsx';
import { useSaveSettings, useSettings } from './api.ts';
import { EurosInput } from './EurosInput.tsx';
import { order } from './order.ts';
import { PayrollFields } from './PayrollFields.tsx';
import { texts } from './texts.ts';

const counts = ['cutOffDay', 'guardMinimumLinked', 'guardMaximumAbsentPercent', 'retentionDays'] as const;

const buyerFields = [
  'legalName',
  'street',
  'postCode',
  'city',
  'country',
  'vatId',
  'invoiceEmail',
  'buyerReference',
] as const;

const specialErrors = { locale: 'wrongLocale', buyerReference: 'wrongBuyerReference' } as const;

/** Says what is wrong with a setting, as exactly as the service does. */
function ExactReason({ setting, error }: { setting: keyof SettingsBody; error: ProblemError }) {
  const t = useTexts(texts);
  const { renderMessage } = useMessages();
  const reason = renderMessage(error.message);
  return reason === undefined
    ? t('wrong')
    : `${t(setting === 'contributionCents' ? 'contribution' : setting)} ${reason}.`;
}

function Reason(props: { setting: keyof SettingsBody; error: ProblemError }) {
  const t = useTexts(texts);
  const special = specialErrors[props.setting as keyof typeof specialErrors];
  if (special !== undefined) return t(special);
  return (
    <Suspense fallback={t('wrong')}>
      <ExactReason {...props} />
    </Suspense>
  );
}

function SettingsForm({ settings }: { settings: CompanySettings }) {
  const t = useTexts(texts);
  const words = useWords();
  const save = useSaveSettings();
  const { timeZone, planType, auditRetentionDays, ...editable } = settings;
  const [edited, setEdited] = useState<SettingsBody>({});
  const [wrong, setWrong] = useState<(keyof SettingsBody)[]>([]);
  const values = { ...editable, ...edited };
  const errors = save.error instanceof ApiProblem ? save.error.errors : [];
  const errorOf = (setting: keyof SettingsBody) => {
    const error = errors.find(({ pointer }) => pointer === `/${setting}`);
    return error !== undefined && <Reason setting={setting} error={error} />;
  };
  const edit = (change: SettingsBody) => {
    save.reset();
    setEdited({ ...edited, ...change });
  };
  /** Keeps the number of a field, or notes that its text is not one: nothing can be saved then. */
  const editTyped = (setting: keyof SettingsBody) => (value: number | null | undefined) => {
    const others = wrong.filter((one) => one !== setting);
    setWrong(value === undefined ? [...others, setting] : others);
    if (value !== undefined) edit({ [setting]: value });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wrong.length > 0) return;
    save.mutate(edited, { onSuccess: () => setEdited({}) });
  };
  return (
    <>
      {save.isSuccess && (
        <Alert color="teal" role="status" icon={<IconCircleCheck size={18} />}>
          {t('saved')}
        </Alert>
      )}
      {errors.length === 0 && <ProblemAlert error={save.error} />}
      <Card component="form" onSubmit={submit}>
        <Stack>
          <SimpleGrid cols={{ base: 1, md: 2 }} verticalSpacing="lg">
            <TextInput
              inputWrapperOrder={order}
              label={t('name')}
              description={t('nameHint')}
              value={values.name}
              onChange={(event) => edit({ name: event.currentTarget.value })}
              error={errorOf('name')}
              required
              withAsterisk={false}
              maxLength={200}
            />
            <TextInput
              inputWrapperOrder={order}
              label={t('locale')}
              description={t('localeHint')}
              value={values.locale}
              onChange={(event) => edit({ locale: event.currentTarget.value })}
              error={errorOf('locale')}
              required
              withAsterisk={false}
              maxLength={35}
            />
            {counts.map((setting) => (
              <WholeNumberInput
                key={setting}
                inputWrapperOrder={order}
                label={t(setting)}
                description={t(`${setting}Hint`)}
                number={values[setting]}
                onNumber={editTyped(setting)}
                error={errorOf(setting)}
                range={settingRanges[setting]}
              />
            ))}
            <EurosInput
              inputWrapperOrder={order}
              label={t('contribution')}
              description={t('contributionHint')}
              cents={values.contributionCents}
              onCents={editTyped('contributionCents')}
              error={errorOf('contributionCents')}
              range={settingRanges.contributionCents}
            />
          </SimpleGrid>
          <PayrollFields values={values} edit={edit} editTyped={editTyped} errorOf={errorOf} />
          <div>
            <Title order={2} size="h4">
              {t('invoices')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('invoicesHint')}
            </Text>
          </div>
          <SimpleGrid cols={{ base: 1, md: 2 }} verticalSpacing="lg">
            {buyerFields.map((setting) => (
              <TextInput
                key={setting}
                inputWrapperOrder={order}
                label={t(setting)}
                description={t(`${setting}Hint`)}
                value={values[setting] ?? ''}
                onChange={(event) => edit({ [setting]: event.currentTarget.value || null })}
                error={errorOf(setting)}
                maxLength={setting === 'invoiceEmail' ? 254 : 200}
              />
            ))}
          </SimpleGrid>
          <Group justify="flex-end">
            <Button
              type="submit"
              disabled={Object.keys(edited).length === 0 || wrong.length > 0}
              loading={save.isPending}
            >
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </Card>
      <Section title={t('fixed')}>
        <Facts
          labelWidth={210}
          facts={[
            [t('timeZone'), timeZone],
            [t('plan'), words.plan[planType]],
            [t('auditRetention'), t('days', { count: auditRetentionDays })],
          ]}
        />
        <Text size="sm" c="dimmed" mt="sm">
          {t('operatorHint')}
        </Text>
      </Section>
    </>
  );
}

function Settings() {
  const { data, error, refetch } = useSettings();
  return (
    <>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data && <SettingsForm settings={data} />}
      {/* After the form, so that the form does not push it down. */}
      {data && <AccessRules />}
    </>
  );
}

export function Component() {
  const t = useTexts(texts);
  return (
    <Page title={t('title')} description={t('description')}>
      <RoleGate ability="settings">
        <Settings />
      </RoleGate>
    </Page>
  );
}
