import { Badge, Button, Code, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { upperFirst } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconRepeat } from '@tabler/icons-react';
import type { DeliveryDetails, Webhook } from '../../../../../src/features/webhooks/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useCommonTexts } from '../../../app/i18n/common.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { CodeBlock } from '../../../ui/CodeBlock.tsx';
import { Duration } from '../../../ui/Duration.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { TimeText } from '../../../ui/figures.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { useDelivery, useRedeliver } from '../api.ts';
import { useAttemptError } from './attempt-error.ts';
import { texts } from './texts.ts';

type Attempt = DeliveryDetails['log'][number];

function AttemptView({ attempt }: { attempt: Attempt }) {
  const t = useTexts(texts);
  const describeError = useAttemptError();
  const { attempt: number, attemptedAt, status, error, durationMs, responseBody } = attempt;
  return (
    <Stack component="li" gap={6} className="lined" py="sm">
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {t('attempt', { number })}
          </Text>
          <Badge color={error === null ? 'teal' : 'red'}>{status ?? t('noResponse')}</Badge>
        </Group>
        <Text size="xs" c="dimmed" component="div">
          <TimeText at={attemptedAt} exact isRealTime /> · <Duration millis={durationMs} />
        </Text>
      </Group>
      {error !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {`${upperFirst(describeError(error))}.`}
        </Text>
      )}
      {status !== null &&
        (responseBody === '' ? (
          <Text size="xs" c="dimmed">
            {t('emptyBody')}
          </Text>
        ) : (
          <CodeBlock label={t('responseBody')} code={responseBody} />
        ))}
    </Stack>
  );
}

/** Formats the body for reading. The signature covers it as it was sent, without white space. */
const indent = (body: string) => JSON.stringify(JSON.parse(body), undefined, 2);

function RequestView({ webhook, delivery }: { webhook: Webhook; delivery: DeliveryDetails }) {
  const t = useTexts(texts);
  const seesPath = useAbility('webhooks');
  const [last] = delivery.log;
  if (delivery.body === null) {
    return (
      <Text size="sm" c="dimmed">
        {t('requestExpired')}
      </Text>
    );
  }
  const { pathname, search, host } = new URL(webhook.url);
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

function Content({ webhook, delivery }: { webhook: Webhook; delivery: DeliveryDetails }) {
  const t = useTexts(texts);
  const redeliver = useRedeliver(webhook.id);
  const mayChange = useAbility('webhooks');
  const { sequence, eventId, state, nextAttemptAt, log } = delivery;
  const onSuccess = () =>
    notifications.show({ color: 'teal', message: t('redelivered', { sequence: String(sequence) }) });
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Facts
          labelWidth={110}
          size="sm"
          facts={[
            [t('eventId'), <Code key="id">{eventId}</Code>],
            [t('sequence'), String(sequence)],
            [t('state'), <StatusBadge key="state" of="deliveryState" word={state} />],
          ]}
        />
        {mayChange && webhook.state === 'enabled' && (
          <Button
            size="sm"
            variant="light"
            leftSection={<IconRepeat size={16} aria-hidden />}
            loading={redeliver.isPending}
            onClick={() => redeliver.mutate(sequence, { onSuccess })}
          >
            {t('redeliver')}
          </Button>
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
        {nextAttemptAt !== null && log.length > 0 && webhook.state === 'enabled' && (
          <Text size="sm" c="dimmed" component="div">
            <NextAttempt at={nextAttemptAt} />
          </Text>
        )}
        {log.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('noAttempts')}
          </Text>
        ) : (
          <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
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
        <RequestView webhook={webhook} delivery={delivery} />
      </div>
    </Stack>
  );
}

function NextAttempt({ at }: { at: string }) {
  const t = useTexts(texts);
  const formats = useFormats();
  return t('nextAttempt', { time: formats.relative(at, true) });
}

interface Props {
  webhook: Webhook;
  sequence: number;
  opened: boolean;
  onClose(): void;
}

/** Renders the request of a delivery and every response to it. */
export function DeliveryModal({ webhook, sequence, opened, onClose }: Props) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const words = useWords();
  const { data, error, refetch } = useDelivery(webhook.id, sequence);
  const event = data === undefined ? '' : words.eventType[data.eventType];
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title={t('deliveryTitle', { sequence: String(sequence), event })}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data ? <Content webhook={webhook} delivery={data} /> : !error && <Skeleton height={320} />}
    </Modal>
  );
}
