import { Group, List, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { eventTypes } from '../../../../src/domain/enums.ts';
import type { EndpointSettings, WebhookEndpoint } from '../../../../src/features/webhooks/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { BarChart } from '../../ui/BarChart.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { Form, useChangeForm } from '../../ui/Form.tsx';
import { Hint, TimeText } from '../../ui/text.tsx';
import { texts, urlProblems } from './texts.ts';

type EndpointHealth = 'enabled' | 'failing' | 'disabled';

/** Returns the state of an endpoint, in which the last attempt counts. */
export const healthOf = ({ state, failingSince }: WebhookEndpoint): EndpointHealth =>
  state === 'enabled' && failingSince !== null ? 'failing' : state;

/** Renders everything about an endpoint that does not change by itself. */
export function About({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t, words, formats } = useReader(texts);
  const { id, url, eventTypes, description, createdAt, previousSecretUntil } = endpoint;
  const events = (
    <List size="sm" listStyleType="none">
      {eventTypes.map((type) => (
        <List.Item key={type}>{words.eventType[type]}</List.Item>
      ))}
    </List>
  );
  const facts: (Fact | false)[] = [
    [
      t('url'),
      <Group key="url" gap={4} component="span" wrap="nowrap" align="flex-start">
        <span style={{ overflowWrap: 'anywhere' }}>{url}</span>
        <CopyIcon value={url} />
      </Group>,
    ],
    [t('id'), String(id)],
    description !== '' && [t('note'), description],
    [t('events'), eventTypes.length === 0 ? t('allEvents') : events],
    [t('created'), <TimeText key="at" at={createdAt} exact isRealTime />],
    previousSecretUntil !== null && [t('previousSecret'), t('validUntil', { time: formats.time(previousSecretUntil) })],
  ];
  return <Facts title={t('details')} facts={facts} labelWidth={130} />;
}

/** Rounds down, so that 100 % means that nothing failed. */
const percentOf = (part: number, whole: number) => Math.floor((part / whole) * 1000) / 10;

interface LastDayProps {
  endpointId: number;
  hours: WebhookEndpoint['lastDay'];
  height?: number;
}

/**
 * Renders the success rate of the last 24 hours, in words and as a small chart. A click opens the deliveries that were
 * attempted in the hour.
 */
export function LastDay({ endpointId, hours, height = 80 }: LastDayProps) {
  const { t, formats } = useReader(texts);
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0);
  const count = hours.reduce((sum, hour) => sum + hour.failed, succeeded);
  if (count === 0) return <Hint>{t('noAttempts')}</Hint>;
  const bars = hours.map((one) => ({
    id: formats.time(one.hour),
    label: formats.hour(one.hour),
    values: [one.succeeded, one.failed],
    to:
      one.succeeded + one.failed > 0
        ? `/webhooks/${endpointId}?attemptedIn=${encodeURIComponent(one.hour)}`
        : undefined,
  }));
  return (
    <Stack gap={6}>
      <Text>{t('rate', { percent: formats.number(percentOf(succeeded, count)), count })}</Text>
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
  /** The endpoint to change. Absent: a new one. */
  initial?: EndpointSettings;
  submitLabel: string;
  change: UseMutationResult<Output, Error, EndpointSettings>;
  onDone(output: Output): void;
  onCancel(): void;
}

const empty: EndpointSettings = { url: '', eventTypes: [], description: '' };

/** Returns what the form changes of an endpoint. */
const settingsOf = (endpoint: EndpointSettings) =>
  Object.fromEntries(Object.entries(endpoint).filter(([name]) => name in empty)) as unknown as EndpointSettings;

/** Whether the page says more about a problem of the URL than the API: what the user can do about it. */
const hasUrlProblem = (key: string): key is keyof typeof urlProblems => key in urlProblems;

/** A test event is always sent to the endpoint that is tested. */
const choosable = eventTypes.filter((type) => type !== 'webhook-test');

/** Renders the settings of an endpoint, of a new one or an existing one. */
export function EndpointForm<Output>({ initial = empty, submitLabel, change, onDone, onCancel }: FormProps<Output>) {
  const { t, words } = useReader(texts);
  const urlProblem = useTexts(urlProblems);
  const form = useChangeForm({
    initial: settingsOf(initial),
    input: (settings) => settings,
    change,
    onDone,
    explain: ({ message: { key } }) => (hasUrlProblem(key) ? urlProblem(key) : undefined),
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
        label={t('events')}
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
