import { Anchor, Card, Group, Stack } from '@mantine/core';
import { Link } from 'react-router';
import type { HrIntegration } from '../../../../src/features/integrations/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { HealthLine, HealthStep } from '../../ui/health/Health.tsx';
import { IconPlugConnected, IconPlus } from '../../ui/icons.gen.ts';
import { Page } from '../../ui/layout.tsx';
import { EmptyState, Query } from '../../ui/Query.tsx';
import { Small, TimeText } from '../../ui/text.tsx';
import { useIntegrations } from './api.ts';
import { texts } from './texts.ts';

/** Renders an integration: one sentence about its state, and one button for what it asks for. */
function IntegrationCard({ integration }: { integration: HrIntegration }) {
  const { t, words } = useReader(texts);
  const { id, name, type, lastSynced } = integration;
  return (
    <Card component="li">
      <Group justify="space-between" gap="sm">
        <Stack gap={4} flex="1 1 260px">
          <Anchor size="md" component={Link} to={`/integrations/${id}`} fw={600} className="breakable">
            {name}
          </Anchor>
          <HealthLine integration={integration} />
          <Small>
            {words.integrationType[type]}
            {lastSynced !== null && (
              <>
                {' · '}
                {t('lastCompleted')} <TimeText at={lastSynced} />
              </>
            )}
          </Small>
        </Stack>
        <HealthStep integration={integration} variant="light" />
      </Group>
    </Card>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const mayCreate = useAbility('integrations');
  const create = mayCreate && <Action to="/integrations/new" icon={IconPlus} label={t('create')} />;
  return (
    <Page title={t('integrations')} description={t('description')} actions={create}>
      <Query of={useIntegrations({ isLive: true })}>
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
