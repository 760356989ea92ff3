import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { Session } from '../../../../../src/features/accounts/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { TimeText } from '../../../ui/figures.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Section } from '../../../ui/Section.tsx';
import { useEndSession, useSessions } from '../api.ts';
import { texts } from './texts.ts';

function SessionRow({ session }: { session: Session }) {
  const t = useTexts(texts);
  const end = useEndSession();
  const device = session.device ?? t('unknownDevice');
  return (
    <Group justify="space-between" gap="xs" component="li" wrap="nowrap" align="flex-start">
      <div>
        <Group gap={6}>
          <Text size="sm" fw={600}>
            {device}
          </Text>
          {session.isCurrent && (
            <Badge size="sm" color="teal">
              {t('thisSession')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" component="div">
          {session.address} · {session.method && `${t(session.method)} · `}
          {t('lastUsed')} <TimeText at={session.lastUsedAt} isRealTime />
        </Text>
        <ProblemAlert error={end.error} />
      </div>
      {!session.isCurrent && (
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          loading={end.isPending}
          aria-label={t('endSessionOf', { device })}
          onClick={() => end.mutate(session.id)}
        >
          {t('endSession')}
        </Button>
      )}
    </Group>
  );
}

/** Lists where the user is signed in. */
export function Sessions() {
  const t = useTexts(texts);
  const { data, error, refetch } = useSessions();
  return (
    <Section title={t('sessionsTitle')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {data?.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Stack>
    </Section>
  );
}
