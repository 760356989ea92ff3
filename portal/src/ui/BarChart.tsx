import './bar-chart.css';
import { ColorSwatch, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { roundTicks } from './round-ticks.ts';

interface Props {
  /** The parts of a bar, from the bottom. `colour` is one of the theme, such as `rail-6`. */
  series: readonly { label: string; colour: string }[];
  /** `id` names a bar in full. `values` are those of the series, in their order. `to` is the list behind it. */
  bars: readonly { id: string; label: string; values: readonly number[]; to?: string | undefined }[];
  height?: number;
  format(value: number): string;
  formatTick?(value: number): string;
}

/** So many bars have room for their names; of more, some are named, counted from the last one. */
const fewBars = 12;
const mostLabels = 8;

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + Math.max(value, 0), 0);

/**
 * Renders a chart of bars, stacked if there are several series, with round ticks. A library for charts is larger than
 * everything else on a page together. Screen readers skip it, so that a text or a table must say the same.
 */
export function BarChart({ series, bars, height = 170, format, formatTick = format }: Props) {
  const ticks = roundTicks(Math.max(...bars.map(({ values }) => sumOf(values)), 1));
  const largest = ticks.at(-1) ?? 1;
  const share = (value: number) => `${(value / largest) * 100}%`;
  const isStacked = series.length > 1;
  const isDense = bars.length > fewBars;
  const step = isDense ? Math.ceil(bars.length / mostLabels) : 1;
  const gap = isDense ? { gap: 3 } : {};
  return (
    <div aria-hidden>
      <div className="bar-chart">
        <div className="bar-chart-ticks figures" style={{ height }}>
          {ticks.map((tick) => (
            <span key={tick} style={{ marginBottom: `calc(${height}px * ${tick / largest})` }}>
              {formatTick(tick)}
            </span>
          ))}
        </div>
        <div className="bar-chart-plot" style={{ height, ...gap }}>
          {ticks.map((tick) => (
            <div key={tick} className="bar-chart-line" style={{ bottom: share(tick) }} />
          ))}
          {bars.map(({ id, values, to }) => {
            const texts = values.map((value, index) =>
              isStacked ? `\n${series[index]?.label}: ${format(value)}` : `: ${format(value)}`,
            );
            const bar = {
              className: 'bar-chart-bar',
              title: `${id}${texts.join('')}`,
              style: { height: share(sumOf(values)) },
              children: values.map((value, index) => (
                <div
                  key={series[index]?.label}
                  style={{ flexGrow: Math.max(value, 0), background: `var(--mantine-color-${series[index]?.colour})` }}
                />
              )),
            };
            // Not in the order of the tab key, because screen readers skip the chart.
            return to === undefined ? <div key={id} {...bar} /> : <Link key={id} to={to} tabIndex={-1} {...bar} />;
          })}
        </div>
        <div className="bar-chart-labels" style={gap}>
          {bars.map(({ id, label }, index) => (
            <span key={id}>{(bars.length - 1 - index) % step === 0 && label}</span>
          ))}
        </div>
      </div>
      {isStacked && (
        <Group gap="4px 16px" mt="xs">
          {series.map(({ label, colour }) => (
            <Group key={label} gap={6}>
              <ColorSwatch color={`var(--mantine-color-${colour})`} size={10} withShadow={false} />
              <Text size="xs" c="dimmed">
                {label}
              </Text>
            </Group>
          ))}
        </Group>
      )}
    </div>
  );
}
