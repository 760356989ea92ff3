import { Stack, Text } from '@mantine/core';
import type { Webhook } from '../../../../src/features/webhooks/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { LastDayChart } from './LastDayChart.tsx';
import { texts } from './texts.ts';

/** Rounds down, so that 100 % means that nothing failed. */
const percentOf = (part: number, whole: number) => Math.floor((part / whole) * 1000) / 10;

interface Props {
  webhookId: number;
  hours: Webhook['lastDay'];
  height?: number;
}

/** Renders the success rate of the last 24 hours, in words and as a small chart. */
export function LastDay({ webhookId, hours, height = 80 }: Props) {
  const t = useTexts(texts);
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
      <LastDayChart webhookId={webhookId} hours={hours} height={height} />
    </Stack>
  );
}
