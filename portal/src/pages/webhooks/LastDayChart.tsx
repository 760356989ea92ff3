import type { Webhook } from '../../api/types.gen.ts';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useFormats } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

/** Renders the attempts of each hour. Hidden from screen readers, for which the rate stands beside it. */
export function LastDayChart({ hours, height }: { hours: Webhook['lastDay']; height: number }) {
  const t = useTexts({ en, de });
  const formats = useFormats();
  return (
    <div aria-hidden>
      <BarChart
        h={height}
        data={hours.map(({ hour, ...counts }) => ({ ...counts, hour: formats.time(hour) }))}
        dataKey="hour"
        type="stacked"
        tickLine="none"
        gridAxis="none"
        withXAxis={false}
        withYAxis={false}
        accessibilityLayer={false}
        barProps={{ isAnimationActive: false }}
        valueFormatter={formats.number}
        series={[
          { name: 'succeeded', label: t('succeeded'), color: 'teal.6' },
          { name: 'failed', label: t('failed'), color: 'red.6' },
        ]}
      />
    </div>
  );
}
