import type { Overview } from '../../api/types.gen.ts';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { SimpleGrid, Text, VisuallyHidden } from '@mantine/core';
import { useFormats } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

/** Renders two small charts, because one chart with two scales is easily misread. */
export function MonthsChart({ months }: { months: Overview['months'] }) {
  const t = useTexts({ en, de });
  const formats = useFormats();
  const data = months.map(({ month, tickets, gross }) => ({
    month: formats.shortMonth(month),
    tickets,
    gross: gross.value,
  }));
  const shared = {
    h: 190,
    data,
    dataKey: 'month',
    tickLine: 'none',
    gridAxis: 'x',
    accessibilityLayer: false,
    barProps: { radius: 3, isAnimationActive: false },
  } as const;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" aria-hidden>
        <div>
          <Text size="sm" c="dimmed" mb={6}>
            {t('ticketsLabel')}
          </Text>
          <BarChart
            {...shared}
            series={[{ name: 'tickets', label: t('ticketsLabel'), color: 'rail.6' }]}
            valueFormatter={formats.number}
            yAxisProps={{ width: 44, allowDecimals: false }}
          />
        </div>
        <div>
          <Text size="sm" c="dimmed" mb={6}>
            {t('grossLabel')}
          </Text>
          <BarChart
            {...shared}
            series={[{ name: 'gross', label: t('grossLabel'), color: 'indigo.5' }]}
            valueFormatter={formats.money}
            yAxisProps={{ width: 62, tickFormatter: formats.roundMoney }}
          />
        </div>
      </SimpleGrid>
      <VisuallyHidden>
        <table>
          <caption>{t('perMonth')}</caption>
          <thead>
            <tr>
              <th>{t('month')}</th>
              <th>{t('ticketsLabel')}</th>
              <th>{t('grossLabel')}</th>
            </tr>
          </thead>
          <tbody>
            {months.map(({ month, tickets, gross }) => (
              <tr key={month}>
                <th>{formats.month(month)}</th>
                <td>{formats.number(tickets)}</td>
                <td>{gross.label}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
}
