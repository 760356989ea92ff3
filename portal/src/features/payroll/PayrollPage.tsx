import { Badge, Group, Select, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PayrollExport, PayrollExportsQuery, PayrollPreview } from '../../../../src/features/payroll/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useGet, useGetPage } from '../../app/api/queries.ts';
import { at } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, FileIcon } from '../../ui/Action.tsx';
import { useDialog } from '../../ui/Dialog.tsx';
import { IconDownload, IconFileSpreadsheet, IconFileTypePdf } from '../../ui/icons.gen.ts';
import { Page, Section } from '../../ui/layout.tsx';
import { type ListState, useListState } from '../../ui/list-state.ts';
import { EmptyState, Query } from '../../ui/Query.tsx';
import type { Column } from '../../ui/rows.tsx';
import { DataTable } from '../../ui/table.tsx';
import { Small, TimeText, useStoredName } from '../../ui/text.tsx';
import { useBilling } from '../billing/api.ts';
import { Amounts, coverSheetOf, fileOf, VoidModal } from './export-files.tsx';
import { PayrollContent } from './preview.tsx';
import { texts } from './texts.ts';
import { Year } from './year.tsx';

/**
 * Shows what the next export of a month would contain and what prevents it, and exports it. What follows appears
 * together with it, because its height is not known before.
 */
function Preview({ period, children }: { period: string; children: ReactNode }) {
  const { t, formats } = useReader(texts);
  const query = useGet<PayrollPreview>(['payroll', 'preview', period], at`/payroll/${period}`);
  return (
    <>
      <Section title={t('preview', { month: formats.month(period) })}>
        <Query of={query} skeleton={<Skeleton height={160} />}>
          {(preview) => <PayrollContent preview={preview} period={period} />}
        </Query>
      </Section>
      {(query.data || query.error) && children}
    </>
  );
}

/** Lists the exports of all months, newest first. */
function History({ list }: { list: ListState }) {
  const { t, words, formats } = useReader(texts);
  const nameOf = useStoredName();
  const { page, perPage } = list;
  const query = useGetPage<PayrollExport, PayrollExportsQuery>(['payroll', 'exports'], '/payroll/exports', {
    page,
    perPage,
    sortField: 'id',
    sortOrder: 'desc',
  });
  const mayDownload = useAbility('payroll-files');
  const mayVoid = useAbility('payroll-voids');
  const { show, dialog } = useDialog();
  const latest = page === 1 ? query.data?.data.find(({ voided }) => voided === null)?.id : undefined;
  const download: Column<PayrollExport> = {
    header: t('download'),
    align: 'right',
    render: (row) => (
      <Group gap="xs" justify="flex-end">
        {mayVoid && row.id === latest && !row.handedOver && (
          <Action
            size="xs"
            variant="default"
            onClick={() => show((modal) => <VoidModal {...modal} row={row} />)}
            label={t('void')}
          />
        )}
        {!row.voided && (
          <FileIcon
            label={t('coverSheet')}
            name={row.fileName}
            href={coverSheetOf(row, 'pdf')}
            icon={IconFileTypePdf}
          />
        )}
        <Action
          href={fileOf(row)}
          download
          size="xs"
          variant="light"
          leftSection={<IconDownload size={14} aria-hidden />}
          aria-label={t('downloadOne', { number: String(row.number) })}
          label={t('download')}
        />
      </Group>
    ),
  };
  const columns: Column<PayrollExport>[] = [
    { header: t('number'), render: ({ number }) => formats.number(number) },
    {
      header: t('month'),
      render: ({ period, lines, voided, handedOver }) => (
        <>
          {formats.month(period)}
          <Small>{t('lines', { count: lines })}</Small>
          {handedOver && (
            <Small>{t('handedOver', { date: formats.time(handedOver.at), name: nameOf(handedOver.by) })}</Small>
          )}
          {voided && (
            <>
              <Badge size="sm" color="red" variant="light">
                {t('voided')}
              </Badge>
              <Small style={{ overflowWrap: 'anywhere' }}>
                {t('voidedBy', { name: nameOf(voided.by), reason: voided.reason })}
              </Small>
            </>
          )}
        </>
      ),
    },
    { header: t('system'), wideOnly: true, render: ({ system }) => words.payrollSystem[system] },
    { header: t('sum'), wideOnly: true, render: (row) => <Amounts {...row} /> },
    {
      header: t('exportedAt'),
      wideOnly: true,
      render: ({ exportedAt, exportedBy }) => (
        <>
          <TimeText at={exportedAt} exact />
          <Small>{t('by', { name: nameOf(exportedBy) })}</Small>
        </>
      ),
    },
    ...(mayDownload ? [download] : []),
  ];
  return (
    <Stack gap="sm">
      <Title order={2}>{t('history')}</Title>
      <DataTable
        label={t('history')}
        columns={columns}
        query={query}
        list={list}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={IconFileSpreadsheet} title={t('historyEmpty')} />}
      />
      {dialog}
    </Stack>
  );
}

export function Component() {
  const { t, formats } = useReader(texts);
  const list = useListState();
  const billing = useBilling();
  const periods = billing.data?.map(({ period }) => period) ?? [];
  const period = periods.find((one) => one === list.text('month')) ?? periods[0];
  const choice =
    period === undefined ? (
      billing.isLoading && <Skeleton w={190} height={36} />
    ) : (
      <Select
        aria-label={t('month')}
        w={190}
        data={periods.map((value) => ({ value, label: formats.month(value) }))}
        value={period}
        onChange={(value) => list.set({ month: value })}
        allowDeselect={false}
      />
    );
  return (
    <Page title={t('payroll')} description={t('description')} actions={choice}>
      <Query of={billing} rows={10}>
        {() =>
          period === undefined ? (
            <EmptyState icon={IconFileSpreadsheet} title={t('emptyTitle')} hint={t('emptyHint')} inCard />
          ) : (
            <Stack gap="lg">
              <Preview key={period} period={period}>
                <History list={list} />
                <Year key={period.slice(0, 4)} period={period} />
              </Preview>
            </Stack>
          )
        }
      </Query>
    </Page>
  );
}
