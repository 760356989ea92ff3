import { Alert, Card, Group, Progress, Stack, Text, Title } from '@mantine/core';
import type { Provider } from '../../../../../src/domain/enums.ts';
import type { Connection } from '../../../../../src/features/connectors/pull/contract.ts';
import type { HrIntegration } from '../../../../../src/features/integrations/contract.ts';
import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, SmallAction } from '../../../ui/Action.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { IconAlertTriangle } from '../../../ui/icons.gen.ts';
import { Section } from '../../../ui/layout.tsx';
import { MessageText } from '../../../ui/MessageText.tsx';
import { PullProgress } from '../../../ui/pull/PullProgress.tsx';
import { Hint, syncAddress, TimeText } from '../../../ui/text.tsx';
import { isPulling } from '../api.ts';
import { texts } from './texts.ts';

interface Props {
  integration: HrIntegration;
  connection: Connection;
}

/** Renders a pull that runs, or why the last one failed. */
export function ConnectionNotices({ integration, connection }: Props) {
  const { t } = useReader(texts);
  const { pull, failureReason, failureMessage } = connection;
  if (pull !== null && isPulling(pull) && pull.kind !== 'preview') {
    return (
      <Card component="section" aria-label={t('pulling')}>
        <Title order={2} mb="sm">
          {t('pulling')}
        </Title>
        <PullProgress pull={pull} provider={integration.name} />
      </Card>
    );
  }
  if (failureReason === null) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('failureTitle')}>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <MessageText message={failureMessage} detail={failureReason} />
      </Text>
      <Text mt={4}>{t('failureText')}</Text>
    </Alert>
  );
}

const names: Partial<Record<Provider, string>> = {
  personio: 'Personio',
  hibob: 'HiBob',
  bamboohr: 'BambooHR',
};

export function ConnectionSection({ integration, connection }: { integration: HrIntegration; connection: Connection }) {
  const { t, words } = useReader(texts);
  const mayChange = useAbility('integrations');
  const { provider, nightlyTime, every, nextPullAt, mappingVersion } = connection;
  const step = (name: string, label: string) => (
    <SmallAction to={`/integrations/${integration.id}/setup?step=${name}`} label={label} />
  );
  return (
    <Section title={t('connection')}>
      <Facts
        labelWidth={180}
        facts={[
          [t('source'), (provider && names[provider]) ?? t(provider === 'http-json' ? 'rest' : 'sftp')],
          [t('every'), words.pullSchedule[every]],
          [t('nightly'), nightlyTime],
          [t('nextPull'), nextPullAt === null ? t('noPull') : <TimeText key="at" at={nextPullAt} exact />],
          [t('mappingVersion'), String(mappingVersion)],
        ]}
      />
      {mayChange && integration.initialConnectionStatus !== 'incomplete' && (
        <Group gap="xs" mt="md">
          {step('mapping', t('changeMapping'))}
          {step('schedule', t('changeSchedule'))}
          {step('credentials', t('changeCredentials'))}
        </Group>
      )}
    </Section>
  );
}

interface NoticesProps {
  integrationId: number;
  sync: ExplainedSync;
}

/**
 * Renders a running sync without a percentage. A roster is applied as a whole or not at all, so its progress is
 * unknown.
 */
export function RunningNotice({ integrationId, sync }: NoticesProps) {
  const { t, formats } = useReader(texts);
  const since = formats.relative(sync.acceptedAt);
  return (
    <Card component="section" aria-label={t('running')} role="status">
      <Group justify="space-between" gap="sm" mb="sm">
        <Stack gap={2}>
          <Group gap="xs">
            <Title order={2}>{t('running')}</Title>
            <StatusBadge of="syncState" word={sync.state} />
          </Group>
          <Hint>{t('runningText', { count: sync.entries, since })}</Hint>
        </Stack>
        <Action to={syncAddress(integrationId, sync.syncId)} variant="light" label={t('watch')} />
      </Group>
      <Progress value={100} animated aria-label={t('running')} />
    </Card>
  );
}
