import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { HrIntegration } from '../../../../src/features/connectors/contract.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { TimeText } from '../../ui/figures.tsx';
import { IntegrationBadge } from '../../ui/IntegrationBadge.tsx';
import { LastOutcome } from '../../ui/LastOutcome.tsx';
import { texts } from './texts.ts';

/** Renders the health of each integration with its last outcome. */
export function Integrations({ integrations }: { integrations: HrIntegration[] }) {
  const t = useTexts(texts);
  if (integrations.length === 0) {
    const action = (
      <Button component={Link} to="/integrations" variant="light">
        {t('create')}
      </Button>
    );
    return (
      <EmptyState
        icon={IconPlugConnected}
        title={t('noIntegrations')}
        hint={t('noIntegrationsHint')}
        actions={action}
      />
    );
  }
  return (
    <Stack gap="sm">
      {integrations.map((integration) => (
        <Group key={integration.id} justify="space-between" gap="xs">
          <div>
            <Anchor component={Link} to={`/integrations/${integration.id}`} size="sm" fw={600}>
              {integration.name}
            </Anchor>
            <Text size="xs" c="dimmed" component="div">
              {integration.lastSynced ? (
                <>
                  {t('lastSync')} <TimeText at={integration.lastSynced} />
                </>
              ) : (
                t('never')
              )}
            </Text>
          </div>
          <Group gap={6}>
            {(integration.status !== 'active' || integration.initialConnectionStatus !== 'completed') && (
              <IntegrationBadge integration={integration} />
            )}
            <LastOutcome integration={integration} />
          </Group>
        </Group>
      ))}
    </Stack>
  );
}
