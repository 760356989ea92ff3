import type { BillingPeriod } from '../../../../src/features/billing/contract.ts';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Box } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useFormats } from '../../app/i18n/formats.ts';
import { useWords } from '../../app/i18n/words.ts';
import { roundTicks } from '../../ui/round-ticks.ts';
import { chargeColours, chargeOrder } from './charge-colours.ts';

const shownMonths = 12;

/** Renders a chart that is hidden from screen readers, because the table below contains the same figures. */
export function PeriodsChart({ periods }: { periods: readonly BillingPeriod[] }) {
  const formats = useFormats();
  const words = useWords();
  const navigate = useNavigate();
  const shown = periods.slice(0, shownMonths).toReversed();
  const ticks = roundTicks(Math.max(...shown.map(({ gross }) => gross.value), 1));
  const data = shown.map(({ period, types }, index) => ({
    // The year stands below its first month.
    month:
      index === 0 || period.slice(5, 7) === '01'
        ? `${formats.shortMonth(period)} ${period.slice(0, 4)}`
        : formats.shortMonth(period),
    period,
    ...Object.fromEntries(types.map(({ chargeType, gross }) => [chargeType, gross.value])),
  }));
  const occurring = chargeOrder.filter((type) =>
    shown.some(({ types }) => types.some((one) => one.chargeType === type)),
  );
  const openMonth = ({ activeTooltipIndex }: { activeTooltipIndex?: number | string | null | undefined }) => {
    const period = data[Number(activeTooltipIndex ?? -1)]?.period;
    if (period !== undefined) void navigate(`/billing/${period}`);
  };
  return (
    <Box aria-hidden>
      <BarChart
        h={260}
        data={data}
        dataKey="month"
        type="stacked"
        series={occurring.map((type) => ({ name: type, label: words.charge[type], color: chargeColours[type] }))}
        valueFormatter={formats.money}
        yAxisProps={{ width: 66, tickFormatter: formats.roundMoney, ticks, domain: [0, ticks.at(-1) ?? 1] }}
        xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 4 }}
        barChartProps={{ onClick: openMonth, style: { cursor: 'pointer' } }}
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
