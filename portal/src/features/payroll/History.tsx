import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { useState } from 'react';
import type { PayrollExport } from '../../../../src/features/payroll/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { at, pathTo } from '../../app/api/request.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { TimeText } from '../../ui/figures.tsx';
import type { ListState } from '../../ui/list-state.ts';
import { useStoredName } from '../../ui/stored-name.ts';
import { usePayrollExports } from './api.ts';
import { texts } from './texts.ts';
import { VoidModal } from './VoidModal.tsx';

function Amounts({ taxFree, flatTax, deduction }: PayrollExport) {
  const t = useTexts(texts);
  const formats = useFormats();
  const sums = [
    [t('taxFree'), taxFree],
    [t('flatTax'), flatTax],
    [t('deduction'), deduction],
  ] as const;
  return sums
    .filter(([, { value }]) => value !== 0)
    .map(([label, money]) => (
      <Text key={label} size="sm" className="figures">
        {label}: {formats.money(money.value)}
      </Text>
    ));
}

/** Lists the exports of all months, newest first. */
export function History({ list }: { list: ListState }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const nameOf = useStoredName();
  const words = useWords();
  const { page, perPage } = list;
  const query = usePayrollExports({ page, perPage, sortField: 'id', sortOrder: 'desc' });
  const mayDownload = useAbility('payroll-files');
  const mayVoid = useAbility('payroll-voids');
  const [voiding, setVoiding] = useState<PayrollExport | null>(null);
  const latest = page === 1 ? query.data?.data.find(({ voided }) => voided === null)?.id : undefined;
  const download: Column<PayrollExport> = {
    header: t('download'),
    align: 'right',
    render: (row) => (
      <Group gap="xs" justify="flex-end">
        {mayVoid && row.id === latest && (
          <Button size="xs" variant="default" onClick={() => setVoiding(row)}>
            {t('void')}
          </Button>
        )}
        <Button
          component="a"
          href={pathTo(at`/payroll/exports/${row.id}/download`)}
          download
          size="xs"
          variant="light"
          leftSection={<IconDownload size={14} aria-hidden />}
          aria-label={t('downloadOne', { number: String(row.number) })}
        >
          {t('download')}
        </Button>
      </Group>
    ),
  };
  const columns: Column<PayrollExport>[] = [
    { header: t('number'), render: ({ number }) => formats.number(number) },
    {
      header: t('month'),
      render: ({ period, lines, voided }) => (
        <>
          {formats.month(period)}
          <Text size="xs" c="dimmed">
            {t('lines', { count: lines })}
          </Text>
          {voided && (
            <>
              <Badge size="sm" color="red" variant="light">
                {t('voided')}
              </Badge>
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {t('voidedBy', { name: nameOf(voided.by), reason: voided.reason })}
              </Text>
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
          <Text size="xs" c="dimmed">
            {t('by', { name: nameOf(exportedBy) })}
          </Text>
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
      {voiding && <VoidModal row={voiding} onClose={() => setVoiding(null)} />}
    </Stack>
  );
}
