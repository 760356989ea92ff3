import type { BillingPeriod } from '../../api/types.gen.ts';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Box } from '@mantine/core';
import { useFormats } from '../../i18n/formats.ts';
import { useWords } from '../../i18n/words.ts';
import { chargeColours, chargeOrder } from './charge-colours.ts';

const shownMonths = 12;

/** Renders a chart that is hidden from screen readers, because the table below contains the same figures. */
export function PeriodsChart({ periods }: { periods: readonly BillingPeriod[] }) {
  const formats = useFormats();
  const words = useWords();
  const shown = periods.slice(0, shownMonths).toReversed();
  const data = shown.map(({ period, types }) => ({
    month: formats.shortMonth(period),
    ...Object.fromEntries(types.map(({ chargeType, gross }) => [chargeType, gross.value])),
  }));
  const occurring = chargeOrder.filter((type) =>
    shown.some(({ types }) => types.some((one) => one.chargeType === type)),
  );
  return (
    <Box aria-hidden>
      <BarChart
        h={260}
        data={data}
        dataKey="month"
        type="stacked"
        series={occurring.map((type) => ({ name: type, label: words.charge[type], color: chargeColours[type] }))}
        valueFormatter={formats.money}
        yAxisProps={{ width: 66, tickFormatter: formats.roundMoney }}
        tickLine="none"
        gridAxis="x"
        withLegend
        legendProps={{ itemSorter: null }}
        accessibilityLayer={false}
        maxBarWidth={56}
        barProps={{ isAnimationActive: false }}
      />
    </Box>
  );
}
