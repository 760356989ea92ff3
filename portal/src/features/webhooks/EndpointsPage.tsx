import { Anchor, Card, Grid, Group, List, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import type { NewEndpointSecret, WebhookEndpoint } from '../../../../src/features/webhooks/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { StatusBadge } from '../../ui/badges.tsx';
import { Secret } from '../../ui/copy.tsx';
import { type DialogState, SecretDialog, useDialog } from '../../ui/Dialog.tsx';
import { IconPlus, IconWebhook } from '../../ui/icons.gen.ts';
import { Page } from '../../ui/layout.tsx';
import { EmptyState, Query } from '../../ui/Query.tsx';
import { Hint } from '../../ui/text.tsx';
import { useCreateEndpoint, useEndpoints } from './api.ts';
import { EndpointForm, healthOf, LastDay } from './endpoint.tsx';
import { texts } from './texts.ts';

/** Asks for the settings of an endpoint, then shows its secret once. */
function CreateEndpoint(modal: DialogState) {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  const creation = useCreateEndpoint();
  return (
    <SecretDialog<NewEndpointSecret>
      {...modal}
      title={t('newTitle')}
      form={(onCreated) => (
        <EndpointForm submitLabel={t('create')} change={creation} onDone={onCreated} onCancel={modal.onClose} />
      )}
      secretTitle={t('createdTitle')}
      hint={t('createdHint')}
      doneLabel={t('done')}
      onDone={({ id }) => void navigate(`/webhooks/${id}`)}
    >
      {({ secret }) => (
        <>
          <Secret label={t('secret')} value={secret} once />
          <div>
            <Title order={3} mb={4}>
              {t('nextSteps')}
            </Title>
            <List size="sm" type="ordered" spacing={4}>
              <List.Item>{t('stepStore')}</List.Item>
              <List.Item>{t('stepVerify')}</List.Item>
              <List.Item>{t('stepTest')}</List.Item>
            </List>
          </div>
        </>
      )}
    </SecretDialog>
  );
}

function EndpointCard({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useReader(texts);
  const { id, url, description, eventTypes, lastDay } = endpoint;
  return (
    <Card component="li">
      <Group justify="space-between" gap="xs" mb={6} align="flex-start" wrap="nowrap">
        <Anchor size="md" component={Link} to={`/webhooks/${id}`} fw={600} className="breakable">
          {url}
        </Anchor>
        <StatusBadge of="endpointHealth" word={healthOf(endpoint)} />
      </Group>
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, sm: 6 }}>
          {description !== '' && <Text className="breakable">{description}</Text>}
          <Hint>{eventTypes.length === 0 ? t('allEvents') : t('typeCount', { count: eventTypes.length })}</Hint>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 6 }}>
          <LastDay endpointId={id} hours={lastDay} />
        </Grid.Col>
      </Grid>
    </Card>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const endpoints = useEndpoints();
  const mayCreate = useAbility('webhooks');
  const { show, dialog } = useDialog();
  const actions = mayCreate && (
    <Action icon={IconPlus} onClick={() => show((modal) => <CreateEndpoint {...modal} />)} label={t('create')} />
  );
  const empty = (
    <EmptyState
      icon={IconWebhook}
      title={t('emptyTitle')}
      hint={t(mayCreate ? 'emptyHint' : 'emptyHintViewer')}
      actions={actions}
      inCard
    />
  );
  return (
    // Without any endpoints, the empty state contains the buttons.
    <Page title={t('webhooks')} description={t('description')} actions={endpoints.data?.length !== 0 && actions}>
      <Query of={endpoints} rows={6} empty={empty}>
        {(list) => (
          <Stack component="ul" gap="sm" className="plain-list" aria-label={t('list')}>
            {list.map((endpoint) => (
              <EndpointCard key={endpoint.id} endpoint={endpoint} />
            ))}
          </Stack>
        )}
      </Query>
      {dialog}
    </Page>
  );
}
