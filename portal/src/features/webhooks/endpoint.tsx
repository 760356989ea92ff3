import { MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { eventTypes } from '../../../../src/domain/enums.ts';
import type { EndpointSettings, Webhook } from '../../../../src/features/webhooks/contract.ts';

import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { BarChart } from '../../ui/BarChart.tsx';
import { Form, useChangeForm } from '../../ui/Form.tsx';
import { Hint } from '../../ui/text.tsx';
import { texts } from './texts.ts';
import { findUrlProblem } from './url-problems.ts';

type WebhookHealth = 'enabled' | 'failing' | 'disabled';

/** Returns the state of an endpoint, in which the last attempt counts. */
export const healthOf = ({ state, failingSince }: Webhook): WebhookHealth =>
  state === 'enabled' && failingSince !== null ? 'failing' : state;

/** Rounds down, so that 100 % means that nothing failed. */
const percentOf = (part: number, whole: number) => Math.floor((part / whole) * 1000) / 10;

interface LastDayProps {
  webhookId: number;
  hours: Webhook['lastDay'];
  height?: number;
}

/**
 * Renders the success rate of the last 24 hours, in words and as a small chart. A click opens the deliveries that were
 * attempted in the hour.
 */
export function LastDay({ webhookId, hours, height = 80 }: LastDayProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0);
  const count = hours.reduce((sum, hour) => sum + hour.failed, succeeded);
  if (count === 0) return <Hint>{t('noAttempts')}</Hint>;
  const bars = hours.map((one) => ({
    id: formats.time(one.hour),
    label: formats.hour(one.hour),
    values: [one.succeeded, one.failed],
    to:
      one.succeeded + one.failed > 0 ? `/webhooks/${webhookId}?attemptedIn=${encodeURIComponent(one.hour)}` : undefined,
  }));
  return (
    <Stack gap={6}>
      <Text size="sm">{t('rate', { percent: formats.number(percentOf(succeeded, count)), count })}</Text>
      <BarChart
        bars={bars}
        height={height}
        format={formats.number}
        series={[
          { label: t('succeeded'), colour: 'teal-6' },
          { label: t('failed'), colour: 'red-6' },
        ]}
      />
    </Stack>
  );
}

interface FormProps<Output> {
  initial: EndpointSettings;
  submitLabel: string;
  change: UseMutationResult<Output, Error, EndpointSettings>;
  onDone?(): void;
  onCancel(): void;
}

/** A test event is always sent to the endpoint that is tested. */
const choosable = eventTypes.filter((type) => type !== 'webhook-test');

/** Renders the settings of an endpoint, of a new one or an existing one. */
export function EndpointForm<Output>({ initial, submitLabel, change, onDone, onCancel }: FormProps<Output>) {
  const t = useTexts(texts);
  const words = useWords();
  const form = useChangeForm({
    initial: { ...initial },
    change,
    input: ({ url, description, ...rest }) => ({ ...rest, url: url.trim(), description: description.trim() }),
    onDone: () => onDone?.(),
    explain: ({ message }) => {
      const known = findUrlProblem(message.key);
      return known && t(known);
    },
  });
  const { url, eventTypes: types } = form.values;
  return (
    <Form
      of={form}
      submitLabel={submitLabel}
      disabled={url.trim() === ''}
      onCancel={onCancel}
      inWords={{ 'too-many-webhooks': t('tooMany') }}
    >
      <TextInput
        {...form.getInputProps('url')}
        label={t('url')}
        description={t('urlHint')}
        inputMode="url"
        maxLength={2048}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <MultiSelect
        {...form.getInputProps('eventTypes')}
        label={t('types')}
        description={t('typesHint')}
        placeholder={types.length === 0 ? t('allEvents') : ''}
        data={choosable.map((value) => ({ value, label: words.eventType[value] }))}
        maxDropdownHeight={260}
        clearable
      />
      <TextInput
        {...form.getInputProps('description')}
        label={t('note')}
        description={t('noteHint')}
        maxLength={200}
        autoComplete="off"
      />
    </Form>
  );
}
