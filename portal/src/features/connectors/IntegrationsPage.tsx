import { Anchor, Badge, Card, Grid, Group, Stack, Text } from '@mantine/core';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { HrIntegration } from '../../../../src/features/integrations/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { IntegrationBadge, LastOutcome } from '../../ui/badges.tsx';
import { HealthLine } from '../../ui/health/Health.tsx';
import { Page } from '../../ui/layout.tsx';
import { EmptyState, Query } from '../../ui/Query.tsx';
import { Small, TimeText } from '../../ui/text.tsx';
import { useIntegrations } from './api.ts';
import { texts } from './texts.ts';

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Small fw={500} mb={2}>
        {label}
      </Small>
      <Text component="div">{children}</Text>
    </div>
  );
}

function IntegrationCard({ integration }: { integration: HrIntegration }) {
  const { t, words } = useReader(texts);
  const { id, name, type, initialConnectionStatus, lastSyncStatus, lastSynced } = integration;
  return (
    <Card component="li">
      <Group justify="space-between" gap="xs" mb={6} align="flex-start">
        <Group gap="xs">
          <Anchor size="md" component={Link} to={`/integrations/${id}`} fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Anchor>
          <Small>ID {id}</Small>
        </Group>
        <Group gap={6}>
          <Badge color="gray" variant="outline">
            {words.integrationType[type]}
          </Badge>
          <IntegrationBadge integration={integration} />
        </Group>
      </Group>
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <HealthLine integration={integration} />
        </Grid.Col>
        <Grid.Col span={{ base: 7, sm: 4, lg: 'auto' }}>
          <Fact label={t('lastOutcome')}>
            {lastSyncStatus === null ? t('never') : <LastOutcome integration={integration} />}
          </Fact>
        </Grid.Col>
        <Grid.Col span={{ base: 5, sm: 4, lg: 'auto' }}>
          <Fact label={t('lastCompleted')}>{lastSynced === null ? t('never') : <TimeText at={lastSynced} />}</Fact>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 4, lg: 'auto' }}>
          <Fact label={t('setup')}>{words.onboarding[initialConnectionStatus]}</Fact>
        </Grid.Col>
      </Grid>
    </Card>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const mayCreate = useAbility('integrations');
  const create = mayCreate && <Action to="/integrations/new" icon={IconPlus} label={t('create')} />;
  return (
    <Page title={t('integrations')} description={t('description')} actions={create}>
      <Query of={useIntegrations()}>
        {(integrations) =>
          integrations.length === 0 ? (
            <EmptyState
              icon={IconPlugConnected}
              title={t('noIntegrations')}
              hint={t(mayCreate ? 'emptyHint' : 'emptyHintViewer')}
              actions={create}
              inCard
            />
          ) : (
            <Stack component="ul" gap="sm" className="plain-list" aria-label={t('list')}>
              {integrations.map((integration) => (
                <IntegrationCard key={integration.id} integration={integration} />
              ))}
            </Stack>
          )
        }
      </Query>
    </Page>
  );
}
