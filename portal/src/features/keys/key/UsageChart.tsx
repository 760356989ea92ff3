import type { KeyDetails } from '../../../../../src/features/keys/contract.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { StackedBars } from '../../../ui/StackedBars.tsx';
import { texts } from './texts.ts';

/** The days of which the log has the requests. */
const loggedDays = 7;

interface Props {
  usage: KeyDetails['usage'];
  /** The key, if the user may read its requests. */
  username: string | undefined;
}

/** Renders the requests of each day. A click opens those of the day, as long as the log has them. */
export function UsageChart({ usage, username }: Props) {
  const t = useTexts(texts);
  const formats = useFormats();
  const bars = usage.map(({ day, requests, clientErrors, serverErrors }, index) => ({
    id: formats.date(day),
    label: formats.shortDay(day),
    values: [requests - clientErrors - serverErrors, clientErrors, serverErrors],
    to:
      username !== undefined && requests > 0 && index >= usage.length - loggedDays
        ? `/requests?key=${username}&from=${day}&to=${day}`
        : undefined,
  }));
  return (
    <StackedBars
      bars={bars}
      format={formats.number}
      series={[
        { label: t('succeeded'), colour: 'teal-6' },
        { label: t('clientErrors'), colour: 'orange-6' },
        { label: t('serverErrors'), colour: 'red-6' },
      ]}
    />
  );
}
