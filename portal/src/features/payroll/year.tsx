import { Group, ScrollArea, SimpleGrid, Stack, Text } from '@mantine/core';
import type { PayrollYear, RequestedStatements, YearQuery } from '../../../../src/features/payroll/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useChange, useGet } from '../../app/api/queries.ts';
import { at, pathTo, post } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { IconDownload, IconFileSpreadsheet, IconFileTypePdf } from '../../ui/icons.gen.ts';
import { Expander, Section, Stat } from '../../ui/layout.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Query } from '../../ui/Query.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Hint } from '../../ui/text.tsx';
import { EmployeeLink } from './preview.tsx';
import { texts } from './texts.ts';

const fileOf = (year: number, format: YearQuery['format']) =>
  `${pathTo(at`/payroll/years/${year}/download`)}?format=${format}`;

type Difference = PayrollYear['differences'][number];

/** Lists whose exported months contain something else, by what was billed and what was exported. */
function Differences({ year: { differences, differenceCount } }: { year: PayrollYear }) {
  const { t, formats } = useReader(texts);
  if (differenceCount === 0) return <Text>{t('yearSame')}</Text>;
  const amounts = (field: 'taxFree' | 'flatTax' | 'deduction') => (row: Difference) =>
    `${formats.money(row[field].value)} / ${formats.money(row.exported[field].value)}`;
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('yearDifferences', { count: differenceCount })}</Text>
      <Hint>
        {t('yearDifferencesHint')}{' '}
        {differenceCount > differences.length && t('problemsMore', { count: differences.length })}
      </Hint>
      <ScrollArea.Autosize mah={360} type="auto" tabIndex={0}>
        <Rows
          label={t('yearDifferences', { count: differenceCount })}
          rows={differences}
          rowKey={(_row, index) => index}
          isQuiet
          columns={[
            { header: t('employee'), render: (row) => <EmployeeLink {...row} /> },
            { header: t('personnelNumber'), cell: { className: 'breakable' }, render: (row) => row.personnelNumber },
            { header: t('taxFree'), align: 'right', render: amounts('taxFree') },
            { header: t('flatTax'), align: 'right', wideOnly: true, render: amounts('flatTax') },
            { header: t('deduction'), align: 'right', wideOnly: true, render: amounts('deduction') },
            { header: t('yearReason'), render: ({ reason }) => t(reason) },
          ]}
        />
      </ScrollArea.Autosize>
    </Stack>
  );
}

function YearContent({ year }: { year: PayrollYear }) {
  const { t, formats } = useReader(texts);
  const mayDownload = useAbility('payroll-files');
  const change = useChange(() => post<RequestedStatements>(at`/payroll/years/${year.year}/statements`), ['activity']);
  const request = () => change.mutate(undefined, { onSuccess: () => notifyDone(t('yearRequested')) });
  return (
    <Stack mt="sm">
      <Hint>{t('yearHint', { date: formats.date(year.asOf) })}</Hint>
      <SimpleGrid cols={{ base: 1, sm: year.flatTax.value === 0 ? 3 : 4 }}>
        <Stat
          label={t('employees')}
          value={formats.number(year.employees)}
          hint={t('yearStatements', { count: year.statements })}
        />
        <Stat label={t('taxFree')} value={formats.money(year.taxFree.value)} hint={t('taxFreeHint')} />
        {year.flatTax.value !== 0 && (
          <Stat label={t('flatTax')} value={formats.money(year.flatTax.value)} hint={t('flatTaxHint')} />
        )}
        <Stat label={t('deduction')} value={formats.money(year.deduction.value)} hint={t('deductionHint')} />
      </SimpleGrid>
      <Differences year={year} />
      <ProblemAlert error={change.error} />
      {!mayDownload && <Hint>{t('mayNotExport')}</Hint>}
      {mayDownload && year.employees > 0 && (
        <Group gap="xs">
          <Action
            href={fileOf(year.year, 'xlsx')}
            download
            variant="light"
            icon={IconFileSpreadsheet}
            label={t('yearExcel')}
          />
          <Action href={fileOf(year.year, 'csv')} download variant="light" icon={IconDownload} label={t('yearCsv')} />
          {year.isOver && (
            <Action
              variant="default"
              icon={IconFileTypePdf}
              onClick={request}
              loading={change.isPending}
              label={t('yearMake')}
            />
          )}
        </Group>
      )}
    </Stack>
  );
}

function LoadedYear({ year }: { year: string }) {
  const query = useGet<PayrollYear>(['payroll', 'year', year], at`/payroll/years/${year}`);
  return <Query of={query}>{(found) => <YearContent year={found} />}</Query>;
}

/** Shows the year of a month. It is loaded when it is opened: it reads all charges of the year. */
export function Year({ period }: { period: string }) {
  const { t } = useReader(texts);
  const year = period.slice(0, 4);
  return (
    <Section title={t('year', { year })}>
      <Expander label={t('yearShow')}>
        <LoadedYear key={year} year={year} />
      </Expander>
    </Section>
  );
}
