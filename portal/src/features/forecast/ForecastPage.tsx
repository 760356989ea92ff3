import { Alert, Select, SimpleGrid, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Forecast, ForecastBody } from '../../../../src/features/forecast/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { post } from '../../app/api/request.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { BarChart } from '../../ui/BarChart.tsx';
import { downloadCsv } from '../../ui/export.tsx';
import { WholeNumberInput } from '../../ui/fields.tsx';
import { IconDownload } from '../../ui/icons.gen.ts';
import { Page, Section, Stat } from '../../ui/layout.tsx';
import { Query } from '../../ui/Query.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { EurosInput } from '../companies/EurosInput.tsx';
import { texts } from './texts.ts';

type Month = Forecast['asPlanned'][number];

const periods = [3, 6, 12, 24] as const;
const pauseMillis = 400;

interface Assumed {
  months: number;
  price: number | null;
  priceFrom: string;
  joiners: number | null;
  leavers: number | null;
}

/** Returns the first days of the months after a day. */
function monthsAfter(day: string, count: number): string[] {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month + index, 1)).toISOString().slice(0, 10),
  );
}

function toBody({ months, price, priceFrom, joiners, leavers }: Assumed): ForecastBody {
  const scenario = {
    ...(price === null ? {} : { ticketPrices: [{ from: priceFrom, grossCents: price }] }),
    ...(joiners ? { joinersPerMonth: joiners } : {}),
    ...(leavers ? { leaversPerMonth: leavers } : {}),
  };
  return { months, ...(Object.keys(scenario).length > 0 ? { scenario } : {}) };
}

const useForecast = (body: ForecastBody) =>
  useQuery({
    queryKey: ['billing', 'forecast', body],
    queryFn: () => post<Forecast, ForecastBody>('/billing/forecast', body),
    placeholderData: keepPreviousData,
  });

interface FormProps {
  assumed: Assumed;
  months: readonly string[];
  onChange(changed: Partial<Assumed>): void;
}

function Assumptions({ assumed, months, onChange }: FormProps) {
  const { t, formats } = useReader(texts);
  return (
    <Section title={t('assumptions')}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 5 }}>
        <Select
          label={t('months')}
          data={periods.map((count) => ({ value: String(count), label: t('monthsOf', { count }) }))}
          value={String(assumed.months)}
          onChange={(value) => onChange({ months: Number(value ?? assumed.months) })}
          allowDeselect={false}
        />
        <EurosInput
          label={t('price')}
          placeholder={t('asToday')}
          cents={assumed.price}
          onCents={(price) => price === undefined || onChange({ price })}
          range={[0, 1_000_000]}
          isOptional
        />
        <Select
          label={t('priceFrom')}
          data={months.map((month) => ({ value: month, label: formats.month(month) }))}
          value={assumed.priceFrom}
          onChange={(month) => onChange({ priceFrom: month ?? assumed.priceFrom })}
          disabled={assumed.price === null}
          allowDeselect={false}
        />
        <WholeNumberInput
          label={t('joiners')}
          number={assumed.joiners}
          onNumber={(joiners) => joiners === undefined || onChange({ joiners })}
          range={[0, 100_000]}
          isOptional
        />
        <WholeNumberInput
          label={t('leavers')}
          number={assumed.leavers}
          onNumber={(leavers) => leavers === undefined || onChange({ leavers })}
          range={[0, 100_000]}
          isOptional
        />
      </SimpleGrid>
    </Section>
  );
}

const sumOf = (months: readonly Month[], of: (month: Month) => number) =>
  months.reduce((sum, month) => sum + of(month), 0);

const grossOf = ({ overall }: Month) => overall.value;

function Figures({ asPlanned, scenario }: Forecast) {
  const { t, formats } = useReader(texts);
  const shown = scenario ?? asPlanned;
  const difference = sumOf(shown, grossOf) - sumOf(asPlanned, grossOf);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Stat
        label={t('sum')}
        value={formats.money(sumOf(shown, grossOf))}
        hint={scenario && t('againstPlan', { difference: formats.signedMoney(difference) })}
      />
      <Stat
        label={t('deductions')}
        value={formats.money(sumOf(shown, ({ ticketCharges }) => ticketCharges.employee.value))}
      />
    </SimpleGrid>
  );
}

function Discounts({ discountLost, discountGained }: Forecast) {
  const { t } = useReader(texts);
  if (discountLost.length + discountGained.length === 0) return null;
  return (
    <Alert color={discountLost.length > 0 ? 'orange' : 'teal'}>
      {discountLost.length > 0 && t('lost', { count: discountLost.length })}{' '}
      {discountGained.length > 0 && t('gained', { count: discountGained.length })} {t('discount')}
    </Alert>
  );
}

function Costs({ asPlanned, scenario }: Forecast) {
  const { t, formats } = useReader(texts);
  const { language } = useLanguage();
  const shown = scenario ?? asPlanned;
  const plannedOf = (month: Month) => asPlanned.find(({ period }) => period === month.period) ?? month;
  const money = (header: string, of: (month: Month) => number, wideOnly: boolean): Column<Month> => ({
    header,
    align: 'right',
    wideOnly,
    cell: { className: 'figures' },
    render: (month) => formats.money(of(month)),
    total: formats.money(sumOf(shown, of)),
  });
  const difference = (month: Month) => grossOf(month) - grossOf(plannedOf(month));
  const columns: Column<Month>[] = [
    { header: t('month'), render: ({ period }) => formats.month(period), total: t('total') },
    {
      header: t('tickets'),
      align: 'right',
      cell: { className: 'figures' },
      render: ({ tickets }) => formats.number(tickets),
    },
    money(t('company'), ({ ticketCharges }) => ticketCharges.company.value, true),
    money(t('employees'), ({ ticketCharges }) => ticketCharges.employee.value, true),
    money(t('fees'), ({ fees }) => fees.overall.value, true),
    money(t('gross'), grossOf, false),
    ...(scenario === null
      ? []
      : [
          money(t('planned'), (month) => grossOf(plannedOf(month)), true),
          {
            ...money(t('difference'), difference, false),
            render: (month: Month) => formats.signedMoney(difference(month)),
            total: formats.signedMoney(sumOf(shown, difference)),
          },
        ]),
  ];
  const save = () => {
    const euros = (cents: number) => cents / 100;
    const headings = ['month', 'tickets', 'company', 'employees', 'fees', 'gross', 'planned'] as const;
    downloadCsv(
      `${t('fileName')}.csv`,
      [
        headings.map((heading) => t(heading)),
        ...shown.map((month) => [
          month.period,
          month.tickets,
          euros(month.ticketCharges.company.value),
          euros(month.ticketCharges.employee.value),
          euros(month.fees.overall.value),
          euros(grossOf(month)),
          euros(grossOf(plannedOf(month))),
        ]),
      ],
      language,
    );
  };
  return (
    <>
      <Section title={t(scenario === null ? 'chart' : 'scenarioChart')}>
        <BarChart
          height={240}
          series={[
            { label: t('company'), colour: 'rail-6' },
            { label: t('employees'), colour: 'orange-5' },
            { label: t('fees'), colour: 'indigo-5' },
          ]}
          bars={shown.map(({ period, ticketCharges, fees }, index) => ({
            id: formats.month(period),
            label:
              index === 0 || period.slice(5, 7) === '01'
                ? `${formats.shortMonth(period)} ${period.slice(0, 4)}`
                : formats.shortMonth(period),
            values: [ticketCharges.company.value, ticketCharges.employee.value, fees.overall.value],
          }))}
          format={formats.money}
          formatTick={formats.roundMoney}
        />
      </Section>
      <Section
        title={t('table')}
        aside={<Action size="xs" variant="default" icon={IconDownload} label={t('download')} onClick={save} />}
        flush
      >
        <Rows label={t('table')} rows={shown} rowKey={({ period }) => period} columns={columns} isQuiet />
      </Section>
    </>
  );
}

function Content({ today }: { today: string }) {
  const [assumed, setAssumed] = useState<Assumed>({
    months: 12,
    price: null,
    priceFrom: monthsAfter(today, 1)[0] ?? '',
    joiners: null,
    leavers: null,
  });
  const [body] = useDebouncedValue(toBody(assumed), pauseMillis);
  return (
    <Stack gap="lg">
      <Assumptions
        assumed={assumed}
        months={monthsAfter(today, 24)}
        onChange={(changed) => setAssumed({ ...assumed, ...changed })}
      />
      <Query of={useForecast(body)} rows={12}>
        {(forecast) => (
          <Stack gap="lg">
            <Figures {...forecast} />
            <Discounts {...forecast} />
            <Costs {...forecast} />
          </Stack>
        )}
      </Query>
    </Stack>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const today = useMe().data?.today;
  return (
    <Page title={t('title')} description={t('description')} parents={[{ title: t('billing'), to: '/billing' }]}>
      {today !== undefined && <Content today={today} />}
    </Page>
  );
}
