import './bar-chart.css';
import { Link } from 'react-router';
import { roundTicks } from './round-ticks.ts';

interface Props {
  /** `id` names a bar in full, such as a month with its year. `to` is the list behind it. */
  bars: readonly { id: string; label: string; value: number; to?: string }[];
  /** A colour of the theme, such as `rail-6`. */
  colour: string;
  format(value: number): string;
  formatTick(value: number): string;
}

const height = 170;
/**
 * Renders a bar chart with round ticks. A library for charts is larger than everything else on a page together. Screen
 * readers skip it, so that a table must say the same.
 */
export function BarChart({ bars, colour, format, formatTick }: Props) {
  const ticks = roundTicks(Math.max(...bars.map(({ value }) => value), 1));
  const share = (value: number) => `${(Math.max(value, 0) / (ticks.at(-1) ?? 1)) * 100}%`;
  return (
    <div className="bar-chart" aria-hidden>
      <div className="bar-chart-ticks figures" style={{ height }}>
        {ticks.map((tick) => (
          <span key={tick} style={{ marginBottom: `calc(${height}px * ${tick / (ticks.at(-1) ?? 1)})` }}>
            {formatTick(tick)}
          </span>
        ))}
      </div>
      <div className="bar-chart-plot" style={{ height }}>
        {ticks.map((tick) => (
          <div key={tick} className="bar-chart-line" style={{ bottom: share(tick) }} />
        ))}
        {bars.map(({ id, value, to }) => {
          const bar = {
            className: 'bar-chart-bar',
            title: `${id}: ${format(value)}`,
            style: { height: share(value), background: `var(--mantine-color-${colour})` },
          };
          // Not in the order of the tab key, because screen readers skip the chart.
          return to === undefined ? <div key={id} {...bar} /> : <Link key={id} to={to} tabIndex={-1} {...bar} />;
        })}
      </div>
      <div className="bar-chart-labels">
        {bars.map(({ id, label }) => (
          <span key={id}>{label}</span>
        ))}
      </div>
    </div>
  );
}
