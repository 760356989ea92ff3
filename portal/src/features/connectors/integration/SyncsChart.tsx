import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Box, ColorSwatch, Group, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { roundTicks } from '../../../ui/round-ticks.ts';
import { syncAddress } from '../../../ui/sync-address.ts';
import { texts } from './texts.ts';

const colours = [
  ['created', 'rail.6'],
  ['updated', 'blue.5'],
  ['offboarded', 'gray.6'],
  ['failed', 'orange.6'],
] as const;

/** Leaves the day of a moment such as `15.11.2026, 09:00 MEZ`. */
const shortenTime = (text: string) => text.split(',')[0] ?? text;

/** Renders a chart that is hidden from screen readers, because the table below contains the same data and more. */
export function SyncsChart({ integrationId, syncs }: { integrationId: number; syncs: readonly ExplainedSync[] }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const navigate = useNavigate();
  const data = syncs.map(({ acceptedAt, syncId, counts }) => ({
    when: formats.time(acceptedAt),
    syncId,
    created: counts.created,
    updated: counts.updated,
    offboarded: counts.offboarded,
    failed: counts.failed + counts.held,
  }));
  const ordered = data.toReversed();
  const totals = data.map(({ created, updated, offboarded, failed }) => created + updated + offboarded + failed);
  const ticks = roundTicks(Math.max(...totals, 1));
  const openSync = ({ activeTooltipIndex }: { activeTooltipIndex?: number | string | null | undefined }) => {
    const sync = ordered[Number(activeTooltipIndex ?? -1)];
    if (sync !== undefined) void navigate(syncAddress(integrationId, sync.syncId));
  };
  return (
    <Box aria-hidden>
      <BarChart
        h={170}
        data={ordered}
        dataKey="when"
        type="stacked"
        tickLine="none"
        gridAxis="x"
        accessibilityLayer={false}
        xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 40, tickFormatter: shortenTime }}
        barChartProps={{ onClick: openSync, style: { cursor: 'pointer' } }}
        maxBarWidth={28}
        barProps={{ isAnimationActive: false }}
        valueFormatter={formats.number}
        yAxisProps={{ width: 52, tickFormatter: formats.number, ticks, domain: [0, ticks.at(-1) ?? 1] }}
        series={colours.map(([name, color]) => ({ name, label: t(name), color }))}
      />
      <Group gap="4px 16px" mt="xs">
        {colours.map(([name, color]) => (
          <Group key={name} gap={6}>
            <ColorSwatch color={`var(--mantine-color-${color.replace('.', '-')})`} size={10} withShadow={false} />
            <Text size="xs" c="dimmed">
              {t(name)}
            </Text>
          </Group>
        ))}
      </Group>
    </Box>
  );
}
