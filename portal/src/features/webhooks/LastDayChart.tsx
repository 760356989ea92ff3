import type { Webhook } from '../../../../src/features/webhooks/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { StackedBars } from '../../ui/StackedBars.tsx';
import { texts } from './texts.ts';

interface Props {
  webhookId: number;
  hours: Webhook['lastDay'];
  height: number;
}

/** Renders the attempts of each hour. A click opens the deliveries that were attempted in it. */
export function LastDayChart({ webhookId, hours, height }: Props) {
  const t = useTexts(texts);
  const formats = useFormats();
  const bars = hours.map(({ hour, succeeded, failed }) => ({
    id: formats.time(hour),
    label: formats.hour(hour),
    values: [succeeded, failed],
    to: succeeded + failed > 0 ? `/webhooks/${webhookId}?attemptedIn=${encodeURIComponent(hour)}` : undefined,
  }));
  return (
    <StackedBars
      bars={bars}
      height={height}
      format={formats.number}
      series={[
        { label: t('succeeded'), colour: 'teal-6' },
        { label: t('failed'), colour: 'red-6' },
      ]}
    />
  );
}
