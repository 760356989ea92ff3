import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Section } from '../../../ui/Section.tsx';
import { useConnectionCheck } from '../connections.ts';
import { ConnectionProblems } from './ConnectionProblems.tsx';
import { texts } from './texts.ts';

interface Props {
  integrationId: number;
  title: string;
  onNext(): void;
  onOther(): void;
}

/** Tests the stored credentials, and names each missing permission. */
export function CheckStep({ integrationId, title, onNext, onOther }: Props) {
  const t = useTexts(texts);
  const { data, error, isFetching, refetch } = useConnectionCheck(integrationId, true);
  const isOk = data?.problems.length === 0;
  return (
    <Section title={t('checkTitle')}>
      <Stack>
        {isFetching ? (
          <Group gap="xs" role="status">
            <Loader size="sm" aria-hidden />
            <Text size="sm">{t('checking', { provider: title })}</Text>
          </Group>
        ) : (
          <>
            <ProblemAlert error={error} onRetry={() => void refetch()} />
            {isOk && (
              <Alert color="teal" icon={<IconCheck size={18} />} role="status">
                {t('checkOk', { count: data.fields.length })}
              </Alert>
            )}
            {data !== undefined && !isOk && (
              <ConnectionProblems problems={data.problems} provider={title} note={t('checkFix', { provider: title })} />
            )}
          </>
        )}
        <Group gap="xs">
          {data !== undefined && (
            <Button onClick={onNext} disabled={isFetching} variant={isOk ? 'filled' : 'default'}>
              {t('next')}
            </Button>
          )}
          <Button variant={isOk ? 'default' : 'filled'} onClick={() => void refetch()} disabled={isFetching}>
            {t('checkAgain')}
          </Button>
          <Button variant="subtle" onClick={onOther} disabled={isFetching}>
            {t('otherCredentials')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
