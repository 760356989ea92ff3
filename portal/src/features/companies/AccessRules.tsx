import { Button, Stack, Switch } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AccessSettings } from '../../../../src/features/accounts/contract.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Section } from '../../ui/Section.tsx';
import { WholeNumberInput } from '../../ui/WholeNumberInput.tsx';
import { useAccessSettings, useSaveAccessSettings } from './api.ts';
import { texts } from './texts.ts';

function RulesForm({ rules }: { rules: AccessSettings }) {
  const t = useTexts(texts);
  const save = useSaveAccessSettings();
  const [values, setValues] = useState(rules);
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong) save.mutate(values);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <ProblemAlert error={save.error} />
        <Switch
          label={t('requireSecondFactor')}
          description={t('requireSecondFactorHint')}
          checked={values.secondFactorRequired}
          onChange={(event) => setValues({ ...values, secondFactorRequired: event.currentTarget.checked })}
        />
        <WholeNumberInput
          label={t('idleMinutes')}
          description={t('idleMinutesHint')}
          range={[5, 10_080]}
          maw={320}
          number={values.sessionIdleMinutes}
          onNumber={(minutes) => {
            setWrong(minutes == null);
            if (minutes != null) setValues({ ...values, sessionIdleMinutes: minutes });
          }}
        />
        <Button type="submit" disabled={isWrong} loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
          {save.isSuccess ? t('accessSaved') : t('saveAccess')}
        </Button>
      </Stack>
    </form>
  );
}

/** The rules of the company for the access of its users. */
export function AccessRules() {
  const t = useTexts(texts);
  const { data, error, refetch } = useAccessSettings();
  return (
    <Section title={t('accessTitle')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data && <RulesForm rules={data} />}
    </Section>
  );
}
