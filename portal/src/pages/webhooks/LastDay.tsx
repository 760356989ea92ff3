import { Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Webhook } from '../../api/types.gen.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

const LastDayChart = lazy(async () => ({ default: (await import('./LastDayChart.tsx')).LastDayChart }));

/** Rounds down, so that 100 % means that nothing failed. */
const percentOf = (part: number, whole: number) => Math.floor((part / whole) * 1000) / 10;

/** Renders the success rate of the last 24 hours, in words and as a small chart. */
export function LastDay({ hours, height = 44 }: { hours: Webhook['lastDay']; height?: number }) {
  const t = useTexts({ en, de });
  const { number } = useFormats();
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0);
  const count = hours.reduce((sum, hour) => sum + hour.failed, succeeded);
  if (count === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('noAttempts')}
      </Text>
    );
  }
  return (
    <Stack gap={6}>
      <Text size="sm">{t('rate', { percent: number(percentOf(succeeded, count)), count })}</Text>
      <Suspense fallback={<Skeleton height={height} />}>
        <LastDayChart hours={hours} height={height} />
      </Suspense>
    </Stack>
  );
}
