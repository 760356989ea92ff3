import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMe } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Section } from '../../../ui/Section.tsx';
import { texts } from './texts.ts';

interface Props {
  initial: string;
  /** Whether this finishes the set-up. Otherwise only the time changes. */
  isLast: boolean;
  pending: boolean;
  error: unknown;
  onSave(nightlyTime: string, syncNow: boolean): void;
  onBack(): void;
}

/** Asks when the integration pulls, and whether it does so at once. */
export function ScheduleStep({ initial, isLast, pending, error, onSave, onBack }: Props) {
  const t = useTexts(texts);
  const zone = useMe().data?.company.timeZone ?? '';
  const [time, setTime] = useState(initial);
  const [syncNow, setSyncNow] = useState(true);
  const isValid = /^\d\d:\d\d$/.test(time);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid && !pending) onSave(time, isLast && syncNow);
  };
  return (
    <Section title={t('scheduleTitle')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            type="time"
            label={t('nightlyTime')}
            description={t('nightlyHint', { zone })}
            value={time}
            onChange={(event) => setTime(event.currentTarget.value)}
            error={isValid ? undefined : t('missing')}
            maw={280}
          />
          {isLast && (
            <Checkbox
              label={t('syncNow')}
              description={t('syncNowHint')}
              checked={syncNow}
              onChange={(event) => setSyncNow(event.currentTarget.checked)}
            />
          )}
          <ProblemAlert error={error} />
          <Group gap="xs">
            <Button type="submit" loading={pending} disabled={!isValid}>
              {t(isLast ? 'finish' : 'save')}
            </Button>
            <Button variant="default" onClick={onBack} disabled={pending}>
              {t('back')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
