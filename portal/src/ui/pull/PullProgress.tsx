import { Progress, Stack, Text } from '@mantine/core';
import type { Pull } from '../../../../src/features/connectors/pull/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { texts } from './texts.ts';

/** Renders how much of the roster was read from the HR system. Without a total, the bar has no end. */
export function PullProgress({ pull, provider }: { pull: Pull | undefined; provider: string }) {
  const { t } = useReader(texts);
  const total = pull?.total ?? null;
  const { pages = 0, people = 0 } = pull ?? {};
  const isWaiting = pull === undefined || pull.state === 'waiting' || pages === 0;
  const text = total === null ? t('reading', { pages, people }) : t('readingTotal', { pages, people, total });
  const part = total === null || total === 0 ? 100 : Math.min(100, (people / total) * 100);
  return (
    <Stack gap="xs" role="status">
      <Text>{isWaiting ? t('waiting', { provider }) : text}</Text>
      <Progress value={isWaiting ? 100 : part} animated aria-label={t('label', { provider })} />
    </Stack>
  );
}
