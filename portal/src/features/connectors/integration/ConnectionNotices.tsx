import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { HrIntegration } from '../../../../../src/features/connectors/contract.ts';
import type { Connection } from '../../../../../src/features/connectors/pull/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { MessageText } from '../../../ui/MessageText.tsx';
import { PullProgress } from '../../../ui/pull/PullProgress.tsx';
import { isPulling } from '../connections.ts';
import { texts } from './texts.ts';

interface Props {
  integration: HrIntegration;
  connection: Connection;
}

interface BannerProps {
  title: string;
  text: string;
  action: string;
  to: string;
}

function Banner({ title, text, action, to }: BannerProps) {
  const mayConnect = useAbility('integrations');
  return (
    <Card component="section" className="waiting" aria-label={title}>
      <Group justify="space-between" gap="sm">
        <Stack gap={2} flex="1 1 260px">
          <Title order={2}>{title}</Title>
          <Text size="sm">{text}</Text>
        </Stack>
        {mayConnect && (
          <Button component={Link} to={to}>
            {action}
          </Button>
        )}
      </Group>
    </Card>
  );
}

/** Renders what keeps the integration from pulling, or how far it has read. */
export function ConnectionNotices({ integration, connection }: Props) {
  const t = useTexts(texts);
  const { id, status, initialConnectionStatus } = integration;
  const { pull, failureReason, failureMessage } = connection;
  const address = `/integrations/${id}/setup`;
  if (status === 'invalid') {
    return (
      <Banner
        title={t('invalidTitle')}
        text={t('invalidText')}
        action={t('reconnect')}
        to={`${address}?step=credentials`}
      />
    );
  }
  if (initialConnectionStatus === 'incomplete') {
    return <Banner title={t('incompleteTitle')} text={t('incompleteText')} action={t('continueSetUp')} to={address} />;
  }
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
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <MessageText message={failureMessage} detail={failureReason} />
      </Text>
      <Text size="sm" mt={4}>
        {t('failureText')}
      </Text>
    </Alert>
  );
}
