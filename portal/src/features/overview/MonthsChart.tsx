import { SimpleGrid, Text, VisuallyHidden } from '@mantine/core';
import type { Overview } from '../../../../src/portal/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { BarChart } from '../../ui/BarChart.tsx';
import { Comparison } from '../../ui/comparison/Comparison.tsx';
import { texts } from './texts.ts';

/** Renders two small charts, because one chart with two scales is easily misread. */
export function MonthsChart({ months }: { months: Overview['months'] }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const barsOf = (measure: (month: Overview['months'][number]) => number, filter = '') =>
    months.map((one) => ({
      id: formats.month(one.month),
      label: formats.shortMonth(one.month),
      value: measure(one),
      to: `/billing/${one.month.slice(0, 7)}-01${filter}`,
    }));
  const [previous, latest] = months.slice(-2);
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" aria-hidden>
        <div>
          <Text size="sm" c="dimmed" mb={6}>
            {t('ticketsLabel')}
          </Text>
          {previous && latest && (
            <Comparison
              name={formats.month(latest.month)}
              value={formats.number(latest.tickets)}
              difference={latest.tickets - previous.tickets}
              format={formats.number}
            />
          )}
          <BarChart
            bars={barsOf(({ tickets }) => tickets, '?chargeType=ticket-charge')}
            colour="rail-6"
            format={formats.number}
            formatTick={formats.number}
          />
        </div>
        <div>
          <Text size="sm" c="dimmed" mb={6}>
            {t('grossLabel')}
          </Text>
          {previous && latest && (
            <Comparison
              name={formats.month(latest.month)}
              value={formats.money(latest.gross.value)}
              difference={latest.gross.value - previous.gross.value}
              format={formats.money}
            />
          )}
          <BarChart
            bars={barsOf(({ gross }) => gross.value)}
            colour="indigo-5"
            format={formats.money}
            formatTick={formats.roundMoney}
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
                <td>{formats.money(gross.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
}
