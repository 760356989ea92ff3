import { Text, Tooltip } from '@mantine/core';
import type { Money } from '../../../src/platform/http/schemas.ts';
import { useFormats } from '../app/i18n/formats.ts';

const dash = '–';

/** Renders a date in the company's format. */
export function DateText({ date }: { date: string | null }) {
  const formats = useFormats();
  return <span className="figures">{date === null ? dash : <time dateTime={date}>{formats.date(date)}</time>}</span>;
}

interface TimeProps {
  at: string | null;
  exact?: boolean;
  /** For keys and sessions, which time travel does not affect. */
  isRealTime?: boolean;
}

/** Renders a time as "5 minutes ago", with the exact time in the tooltip. `exact` swaps the two. */
export function TimeText({ at, exact = false, isRealTime = false }: TimeProps) {
  const formats = useFormats();
  if (at === null) return <span>{dash}</span>;
  const [shown, tip] = [formats.time(at), formats.relative(at, isRealTime)];
  return (
    <Tooltip label={exact ? tip : shown}>
      <time dateTime={at} className="figures">
        {exact ? shown : tip}
      </time>
    </Tooltip>
  );
}

/** Renders an amount in the reader's format. */
export function MoneyText({ money, strong = false }: { money: Money | null; strong?: boolean }) {
  const formats = useFormats();
  return (
    <Text span inherit className="figures" fw={strong ? 600 : undefined} style={{ whiteSpace: 'nowrap' }}>
      {money === null ? dash : formats.money(money.value)}
    </Text>
  );
}
