import { Alert, Anchor, Badge, Code, Group, Loader, Skeleton, Stack, Text, Title } from '@mantine/core';
import { upperFirst } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { deliveryStates, eventTypes } from '../../../../../src/domain/enums.ts';
import type {
  DeliveryDetails,
  WebhookDelivery,
  WebhookEndpoint,
} from '../../../../../src/features/webhooks/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action } from '../../../ui/Action.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { IconCircleCheck, IconCircleX, IconMailbox, IconRepeat } from '../../../ui/icons.gen.ts';
import { PlainSection } from '../../../ui/layout.tsx';
import { type ListState, useListState } from '../../../ui/list-state.ts';
import { notifyDone } from '../../../ui/notify.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { EmptyState, Query } from '../../../ui/Query.tsx';
import type { Column } from '../../../ui/rows.tsx';
import { DataTable, FilterCard, WordsFilter } from '../../../ui/table.tsx';
import { Duration, Hint, Small, TimeText } from '../../../ui/text.tsx';
import { useDeliveries, useDelivery, useRedeliver } from '../api.ts';
import { errors, texts } from './texts.ts';

const known: Readonly<Record<string, Exclude<keyof typeof errors, 'status' | 'redirect' | 'certificate' | 'other'>>> = {
  RESPONSE_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connectTimeout',
  ETIMEDOUT: 'connectTimeout',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  ENOTFOUND: 'notFound',
  EAI_AGAIN: 'notFound',
  ADDRESS_NOT_PUBLIC: 'notPublic',
};

/** Returns a function that describes the code of a failed attempt in the user's language. */
function useAttemptError(): (code: string) => string {
  const { t } = useReader(errors);
  return (code) => {
    const status = /^HTTP_(\d+)$/.exec(code)?.[1];
    if (status !== undefined) return t(status.startsWith('3') ? 'redirect' : 'status', { status });
    const name = known[code];
    if (name !== undefined) return t(name);
    return t(/CERT|SIGNATURE|SSL|TLS|ALTNAME/.test(code) ? 'certificate' : 'other', { code });
  };
}

type Attempt = DeliveryDetails['log'][number];

function AttemptView({ attempt }: { attempt: Attempt }) {
  const { t } = useReader(texts);
  const describeError = useAttemptError();
  const { attempt: number, attemptedAt, status, error, durationMs, responseBody } = attempt;
  return (
    <Stack component="li" gap={6} className="lined" py="sm">
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{t('attempt', { number })}</Text>
          <Badge color={error === null ? 'teal' : 'red'}>{status ?? t('noResponse')}</Badge>
        </Group>
        <Small>
          <TimeText at={attemptedAt} exact isRealTime /> · <Duration millis={durationMs} />
        </Small>
      </Group>
      {error !== null && <Text className="breakable">{`${upperFirst(describeError(error))}.`}</Text>}
      {status !== null &&
        (responseBody === '' ? (
          <Small>{t('emptyBody')}</Small>
        ) : (
          <CodeBlock label={t('responseBody')} code={responseBody} />
        ))}
    </Stack>
  );
}

/** Formats the body for reading. The signature covers it as it was sent, without white space. */
const indent = (body: string) => JSON.stringify(JSON.parse(body), undefined, 2);

function RequestView({ endpoint, delivery }: { endpoint: WebhookEndpoint; delivery: DeliveryDetails }) {
  const { t } = useReader(texts);
  const seesPath = useAbility('webhooks');
  const [last] = delivery.log;
  if (delivery.body === null) {
    return <Hint>{t('requestExpired')}</Hint>;
  }
  const { pathname, search, host } = new URL(endpoint.url);
  const headers = [
    `POST ${seesPath ? `${pathname}${search}` : '/…'} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/json',
    'user-agent: transit-benefits-webhooks/1',
    `webhook-id: ${delivery.eventId}`,
    ...(last ? [`webhook-timestamp: ${Math.floor(Date.parse(last.attemptedAt) / 1000)}`] : []),
    'webhook-signature: v1,…',
  ];
  return <CodeBlock label={t('request')} code={`${headers.join('\n')}\n\n${indent(delivery.body)}`} />;
}

function Content({ endpoint, delivery }: { endpoint: WebhookEndpoint; delivery: DeliveryDetails }) {
  const { t, formats } = useReader(texts);
  const redeliver = useRedeliver(endpoint.id);
  const mayChange = useAbility('webhooks');
  const { sequence, eventId, state, nextAttemptAt, log } = delivery;
  const onSuccess = () => notifyDone(t('redelivered', { sequence: String(sequence) }));
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Facts
          labelWidth={110}
          size="sm"
          facts={[
            [t('eventId'), <Code key="id">{eventId}</Code>],
            [t('sequence'), String(sequence)],
            [t('states'), <StatusBadge key="state" of="deliveryState" word={state} />],
          ]}
        />
        {mayChange && endpoint.state === 'enabled' && (
          <Action
            size="sm"
            variant="light"
            icon={IconRepeat}
            loading={redeliver.isPending}
            onClick={() => redeliver.mutate(sequence, { onSuccess })}
            label={t('redeliver')}
          />
        )}
      </Group>
      <ProblemAlert
        error={redeliver.error}
        inWords={{ 'webhook-disabled': t('isDisabled'), 'not-found': t('requestExpired') }}
      />
      <div>
        <Title order={3} mb={6}>
          {t('attempts')}
        </Title>
        {nextAttemptAt !== null && log.length > 0 && endpoint.state === 'enabled' && (
          <Hint>{t('nextAttempt', { time: formats.relative(nextAttemptAt, true) })}</Hint>
        )}
        {log.length === 0 ? (
          <Hint>{t('noAttempts')}</Hint>
        ) : (
          <Stack component="ul" gap={0} className="plain-list">
            {log.map((attempt) => (
              <AttemptView key={attempt.attempt} attempt={attempt} />
            ))}
          </Stack>
        )}
      </div>
      <div>
        <Title order={3} mb={6}>
          {t('request')}
        </Title>
        <RequestView endpoint={endpoint} delivery={delivery} />
      </div>
    </Stack>
  );
}

interface Props {
  endpoint: WebhookEndpoint;
  sequence: number;
  opened: boolean;
  onClose(): void;
}

/** Renders the request of a delivery and every response to it. */
export function DeliveryModal({ endpoint, sequence, opened, onClose }: Props) {
  const { t, words } = useReader(texts);
  const query = useDelivery(endpoint.id, sequence);
  const event = query.data === undefined ? '' : words.eventType[query.data.eventType];
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size="xl"
      title={t('deliveryTitle', { sequence: String(sequence), event })}
    >
      <Query of={query} skeleton={<Skeleton height={320} />}>
        {(delivery) => <Content endpoint={endpoint} delivery={delivery} />}
      </Query>
    </Dialog>
  );
}

interface TestResultProps {
  endpointId: number;
  /** The test event. */
  sequence: number;
  onShow(): void;
  onClose(): void;
}

/** Renders how a test event fares, from the moment it was requested. */
export function TestResult({ endpointId, sequence, onShow, onClose }: TestResultProps) {
  const { t, formats } = useReader(texts);
  const describeError = useAttemptError();
  const { data } = useDelivery(endpointId, sequence);
  const isMade = data !== undefined && data.attempts > 0;
  const isSuccess = data?.state === 'succeeded';
  const error = describeError(data?.error ?? '');
  const text = !isMade
    ? t('testWaiting')
    : isSuccess
      ? t('testSucceeded', { status: String(data.status), duration: formats.number(data.durationMs ?? 0) })
      : t(data.state === 'pending' ? 'testFailed' : 'testGaveUp', { error });
  return (
    <Alert
      role="status"
      color={!isMade ? 'blue' : isSuccess ? 'teal' : 'red'}
      icon={!isMade ? <Loader size={16} /> : isSuccess ? <IconCircleCheck size={18} /> : <IconCircleX size={18} />}
      title={t('testTitle')}
      withCloseButton
      closeButtonLabel={t('close')}
      onClose={onClose}
    >
      <Stack gap={4} align="flex-start">
        <Text className="breakable">{text}</Text>
        {isMade && (
          <Anchor component="button" type="button" onClick={onShow}>
            {t('showDelivery')}
          </Anchor>
        )}
      </Stack>
    </Alert>
  );
}

function filtersOf(list: ListState) {
  const hour = new Date(list.text('attemptedIn'));
  return {
    states: list.words('states', deliveryStates),
    types: list.words('types', eventTypes),
    attemptedIn: Number.isNaN(hour.getTime()) ? undefined : hour.toISOString(),
  };
}

function Filters({ list }: { list: ListState }) {
  const { t, words, formats } = useReader(texts);
  const { attemptedIn } = filtersOf(list);
  return (
    <FilterCard list={list} label={t('log')} cols={{ base: 1, sm: 2 }}>
      <WordsFilter
        list={list}
        name="states"
        values={deliveryStates}
        names={words.deliveryState}
        label={t('states')}
        all={t('all')}
      />
      <WordsFilter
        list={list}
        name="types"
        values={eventTypes}
        names={words.eventType}
        label={t('events')}
        all={t('allEvents')}
        maxDropdownHeight={300}
      />
      {attemptedIn !== undefined && (
        <Text style={{ gridColumn: '1 / -1' }}>{t('attemptedIn', { hour: formats.time(attemptedIn) })}</Text>
      )}
    </FilterCard>
  );
}

function useColumns(onShow: (sequence: number) => void): Column<WebhookDelivery>[] {
  const { t, words, formats } = useReader(texts);
  return [
    {
      header: t('event'),
      render: ({ sequence, eventType }) => (
        <div>
          <Anchor
            component="button"
            type="button"
            inherit
            ta="left"
            aria-label={t('detailsOf', { event: words.eventType[eventType], sequence: String(sequence) })}
            onClick={() => onShow(sequence)}
          >
            {words.eventType[eventType]}
          </Anchor>
          <Small className="figures">{sequence}</Small>
        </div>
      ),
    },
    { header: t('states'), render: ({ state }) => <StatusBadge of="deliveryState" word={state} /> },
    {
      header: t('response'),
      cell: { className: 'figures', style: { whiteSpace: 'nowrap' } },
      render: ({ attempts, status }) => (attempts === 0 ? '–' : (status ?? t('noResponse'))),
    },
    {
      header: t('when'),
      cell: { style: { whiteSpace: 'nowrap' } },
      render: ({ attemptedAt }) => <TimeText at={attemptedAt} exact isRealTime />,
      wideOnly: true,
    },
    {
      header: t('duration'),
      render: ({ durationMs }) => <Duration millis={durationMs} />,
      align: 'right',
      wideOnly: true,
    },
    { header: t('attempts'), render: ({ attempts }) => formats.number(attempts), align: 'right', wideOnly: true },
  ];
}

interface DeliveriesProps {
  endpointId: number;
  onShow(sequence: number): void;
  /** Shown at the right end of the heading. */
  aside: ReactNode;
}

/** Lists every delivery of the last 30 days, newest event first. */
export function Deliveries({ endpointId, onShow, aside }: DeliveriesProps) {
  const { t } = useReader(texts);
  const list = useListState();
  const query = useDeliveries(endpointId, { page: list.page, perPage: list.perPage, ...filtersOf(list) });
  const isEmpty = !list.isFiltered && query.data?.total === 0;
  return (
    <PlainSection title={t('log')} aside={aside} align="center">
      {!isEmpty && <Filters list={list} />}
      <DataTable
        label={t('log')}
        columns={useColumns(onShow)}
        query={query}
        list={list}
        rowKey={({ sequence }) => sequence}
        empty={<EmptyState icon={IconMailbox} title={t('noDeliveries')} hint={t('noDeliveriesHint')} />}
      />
    </PlainSection>
  );
}
