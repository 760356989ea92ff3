import { Anchor, Button, Card, Grid, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBook2, IconPlus, IconWebhook } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Webhook } from '../../../../src/features/webhooks/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useWebhooks } from './api.ts';
import { CreateEndpoint } from './CreateEndpoint.tsx';
import { healthOf } from './health.ts';
import { LastDay } from './LastDay.tsx';
import { texts } from './texts.ts';

function EndpointCard({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts);
  const { id, url, description, eventTypes, lastDay } = webhook;
  return (
    <Card component="li">
      <Group justify="space-between" gap="xs" mb={6} align="flex-start" wrap="nowrap">
        <Anchor component={Link} to={`/webhooks/${id}`} fw={600} style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Anchor>
        <StatusBadge of="webhookHealth" word={healthOf(webhook)} />
      </Group>
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, sm: 6 }}>
          {description !== '' && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {description}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {eventTypes.length === 0 ? t('allEvents') : t('typeCount', { count: eventTypes.length })}
          </Text>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 6 }}>
          <LastDay webhookId={id} hours={lastDay} />
        </Grid.Col>
      </Grid>
    </Card>
  );
}

export function Component() {
  const t = useTexts(texts);
  const { data, error, refetch } = useWebhooks();
  const mayCreate = useAbility('webhooks');
  const [opened, { open, close }] = useDisclosure(false);
  const guide = (
    <Button
      component="a"
      href="/docs/guides/webhooks"
      target="_blank"
      variant="default"
      leftSection={<IconBook2 size={16} aria-hidden />}
    >
      {t('guide')}
    </Button>
  );
  const actions = (
    <>
      {guide}
      {mayCreate && (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
          {t('create')}
        </Button>
      )}
    </>
  );
  const isEmpty = data?.length === 0;
  return (
    // Without any endpoints, the empty state contains the buttons.
    <Page title={t('title')} description={t('description')} actions={!isEmpty && actions}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data === undefined && !error && <RowsSkeleton rows={6} />}
      {isEmpty && (
        <Card>
          <EmptyState
            icon={IconWebhook}
            title={t('emptyTitle')}
            hint={t(mayCreate ? 'emptyHint' : 'emptyHintViewer')}
            actions={actions}
          />
        </Card>
      )}
      {data !== undefined && !isEmpty && (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('list')}>
          {data.map((webhook) => (
            <EndpointCard key={webhook.id} webhook={webhook} />
          ))}
        </Stack>
      )}
      <CreateEndpoint opened={opened} onClose={close} />
    </Page>
  );
}
