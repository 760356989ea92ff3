import { Button, Card, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import {
  IconCircleCheck,
  IconClockExclamation,
  IconFileText,
  IconPlugConnectedX,
  IconUserMinus,
  IconWebhookOff,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Overview } from '../../../../src/portal/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { texts } from './texts.ts';

type Item = Overview['waiting'][number];

function useWaitingItem(item: Item) {
  const t = useTexts(texts);
  const formats = useFormats();
  const words = useWords();
  switch (item.kind) {
    case 'pending-removals':
      return {
        icon: IconUserMinus,
        title: t('heldTitle', { integration: item.integrationName }),
        text: t('held', { count: item.removals }),
        to: `/integrations/${item.integrationId}/syncs/${encodeURIComponent(item.syncId)}`,
      };
    case 'pending-contracts':
      return {
        icon: IconFileText,
        title: t('pendingTitle'),
        text: t('pending', { count: item.employees }),
        to: `/employees?contractStatuses=pending&${item.statuses.map((one) => `subscriptionStatuses=${one}`).join('&')}`,
      };
    case 'integration-unhealthy':
      return {
        icon: IconPlugConnectedX,
        title: t('unhealthyTitle', { integration: item.integrationName }),
        text: t('unhealthy', {
          status: item.status === 'invalid' ? words.integrationStatus.invalid : words.syncState[item.status],
        }),
        to: `/integrations/${item.integrationId}`,
      };
    case 'roster-overdue':
      return {
        icon: IconClockExclamation,
        title: t('overdueTitle', { integration: item.integrationName }),
        text:
          item.lastSynced === null
            ? t('overdueNever', { time: formats.time(item.since) })
            : t('overdue', { time: formats.time(item.since), last: formats.time(item.lastSynced) }),
        to: `/integrations/${item.integrationId}`,
      };
    case 'webhook-unhealthy':
      return {
        icon: IconWebhookOff,
        title: t('webhookTitle', { host: item.host }),
        text: t(item.status === 'failing' ? 'webhookFailing' : 'webhookDisabled', { time: formats.time(item.since) }),
        to: `/webhooks/${item.webhookId}`,
      };
  }
}

function WaitingItem({ item }: { item: Item }) {
  const t = useTexts(texts);
  const { icon: Picture, title, text, to } = useWaitingItem(item);
  return (
    <Group component="li" justify="space-between" gap="xs" px="lg" py="sm" className="lined">
      <Group gap="sm" wrap="nowrap" flex="1 1 260px">
        <ThemeIcon
          variant="light"
          color={item.kind === 'pending-contracts' ? 'yellow' : 'orange'}
          size={36}
          aria-hidden
        >
          <Picture size={19} stroke={1.7} />
        </ThemeIcon>
        <div>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
      </Group>
      <Button component={Link} to={to} size="compact-sm" variant="default" aria-label={`${t('review')}: ${title}`}>
        {t('review')}
      </Button>
    </Group>
  );
}

/** Renders what needs a user's attention, above everything else. */
export function Waiting({ items }: { items: Overview['waiting'] }) {
  const t = useTexts(texts);
  if (items.length === 0) {
    return (
      <Group gap={6} c="dimmed">
        <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
        <Text size="sm">{t('nothingWaiting')}</Text>
      </Group>
    );
  }
  return (
    <Card component="section" padding={0} aria-labelledby="waiting" className="waiting">
      <Title order={2} id="waiting" px="lg" pt="md" pb="xs">
        {t('waiting')}
      </Title>
      <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
        {items.map((item) => (
          <WaitingItem key={JSON.stringify(item)} item={item} />
        ))}
      </Stack>
    </Card>
  );
}
