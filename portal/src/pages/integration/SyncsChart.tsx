import type { Sync } from '../../api/types.gen.ts';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Box, ColorSwatch, Group, Text } from '@mantine/core';
import { useFormats } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

const colours = [
  ['created', 'rail.6'],
  ['updated', 'blue.5'],
  ['offboarded', 'gray.6'],
  ['failed', 'orange.6'],
] as const;

/** Renders a chart that is hidden from screen readers, because the table below contains the same data and more. */
export function SyncsChart({ syncs }: { syncs: readonly Sync[] }) {
  const t = useTexts({ en, de });
  const formats = useFormats();
  const data = syncs.map(({ acceptedAt, counts }) => ({
    when: formats.time(acceptedAt),
    created: counts.created,
    updated: counts.updated,
    offboarded: counts.offboarded,
    failed: counts.failed + counts.held,
  }));
  return (
    <Box aria-hidden>
      <BarChart
        h={150}
        data={data.toReversed()}
        dataKey="when"
        type="stacked"
        tickLine="none"
        gridAxis="x"
        accessibilityLayer={false}
        withXAxis={false}
        maxBarWidth={28}
        barProps={{ isAnimationActive: false }}
        valueFormatter={formats.number}
        yAxisProps={{ width: 44, allowDecimals: false, tickCount: 3 }}
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
