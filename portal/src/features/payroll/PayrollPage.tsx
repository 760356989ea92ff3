import {
  Alert,
  type AlertProps,
  Anchor,
  Badge,
  Group,
  ScrollArea,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconAlertTriangle, IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type {
  PayrollExport,
  PayrollExportsQuery,
  PayrollPreview,
  ReasonBody,
} from '../../../../src/features/payroll/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useChange, useGet, useGetPage, usePost } from '../../app/api/queries.ts';
import { at, pathTo, post } from '../../app/api/request.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { ConfirmChange, type DialogState, useDialog } from '../../ui/Dialog.tsx';
import { Page, Section, Stat } from '../../ui/layout.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { EmptyState, Query } from '../../ui/Query.tsx';
import { type Column, DataTable, type ListState, Rows, useListState } from '../../ui/table.tsx';
import { Hint, Small, TimeText, useStoredName } from '../../ui/text.tsx';
import { useBilling } from '../billing/api.ts';
import { texts } from './texts.ts';

const touched = ['payroll', 'overview', 'activity'];

const fileOf = ({ id }: Pick<PayrollExport, 'id'>) => pathTo(at`/payroll/exports/${id}/download`);

const Warning = (props: AlertProps) => <Alert color="orange" icon={<IconAlertTriangle size={18} />} {...props} />;

function MissingSettings({ settings }: { settings: PayrollPreview['missingSettings'] }) {
  const { t } = useReader(texts);
  const { language } = useLanguage();
  const maySet = useAbility('settings');
  if (settings.length === 0) return null;
  const names = new Intl.ListFormat(language).format(settings.map((setting) => t(setting)));
  return (
    <Warning title={t('missingTitle')}>
      {t('missing', { settings: names })} {maySet ? t('missingAdmin') : t('missingOther')}
      {maySet && (
        <Text mt={6}>
          <Anchor component={Link} to="/settings">
            {t('toSettings')}
          </Anchor>
        </Text>
      )}
    </Warning>
  );
}

function EmployeeLink({ employeeId, name }: { employeeId: number | null; name: string | null }) {
  const { t } = useReader(texts);
  if (employeeId === null) return t('removed');
  return (
    <Anchor component={Link} to={`/employees/${employeeId}`}>
      {name}
    </Anchor>
  );
}

/** Marks everybody whose employment ended before the month. They are exported nevertheless. */
function Leavers({ leavers }: Pick<PayrollPreview, 'leavers'>) {
  const { t, formats } = useReader(texts);
  if (leavers.length === 0) return null;
  return (
    <Warning title={t('leaversTitle', { count: leavers.length })}>
      {t('leaversHint')}
      <ScrollArea.Autosize mah={200} type="auto" tabIndex={0}>
        <ul className="plain-list">
          {leavers.map(({ employeeId, name, terminationDate }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: removed employees have neither id nor name.
            <Text key={index} component="li">
              <EmployeeLink employeeId={employeeId} name={name} />
              {': '}
              {t('leftOn', { date: formats.date(terminationDate) })}
            </Text>
          ))}
        </ul>
      </ScrollArea.Autosize>
    </Warning>
  );
}

function Problems({ preview: { problems, problemCount } }: { preview: PayrollPreview }) {
  const { t } = useReader(texts);
  if (problemCount === 0) return null;
  return (
    <Stack gap="sm">
      <Warning title={t('problemsTitle', { count: problemCount })}>
        {t('problemsHint')} {problemCount > problems.length && t('problemsMore', { count: problems.length })}
      </Warning>
      <ScrollArea.Autosize mah={360} type="auto" tabIndex={0}>
        <Rows
          label={t('problemsTitle', { count: problemCount })}
          rows={problems}
          rowKey={(_problem, index) => index}
          isQuiet
          columns={[
            { header: t('employee'), render: (problem) => <EmployeeLink {...problem} /> },
            { header: t('hrId'), cell: { className: 'breakable' }, render: ({ hrId }) => hrId ?? '–' },
            { header: t('remedy'), render: ({ code }) => t(code) },
          ]}
        />
      </ScrollArea.Autosize>
    </Stack>
  );
}

function Figures({ preview }: { preview: PayrollPreview }) {
  const { t, formats } = useReader(texts);
  const { lines, employees, taxFree, flatTax, deduction } = preview;
  return (
    <SimpleGrid cols={{ base: 1, sm: taxFree.value !== 0 && flatTax.value !== 0 ? 4 : 3 }}>
      <Stat label={t('employees')} value={formats.number(employees)} hint={t('lines', { count: lines })} />
      {(taxFree.value !== 0 || flatTax.value === 0) && (
        <Stat label={t('taxFree')} value={formats.money(taxFree.value)} hint={t('taxFreeHint')} />
      )}
      {flatTax.value !== 0 && (
        <Stat label={t('flatTax')} value={formats.money(flatTax.value)} hint={t('flatTaxHint')} />
      )}
      <Stat label={t('deduction')} value={formats.money(deduction.value)} hint={t('deductionHint')} />
    </SimpleGrid>
  );
}

function Content({ preview, period }: { preview: PayrollPreview; period: string }) {
  const { t, words, formats } = useReader(texts);
  const change = useChange(() => post<PayrollExport>(at`/payroll/${period}`), touched);
  const mayExport = useAbility('payroll-files');
  const { missingSettings, problemCount, lines, periodAge } = preview;
  if (lines === 0 && problemCount === 0) {
    return (
      <Stack gap="sm">
        <Text>{t('nothing', { month: formats.month(period) })}</Text>
        <MissingSettings settings={missingSettings} />
      </Stack>
    );
  }
  const exportAndDownload = () =>
    change.mutate(undefined, {
      onSuccess: ({ id, number }) => {
        Object.assign(document.createElement('a'), { href: fileOf({ id }), download: '' }).click();
        notifyDone(t('exported', { number: String(number) }));
      },
    });
  return (
    <Stack>
      <Figures preview={preview} />
      {periodAge !== 'usual' && <Warning>{t(periodAge, { month: formats.month(period) })}</Warning>}
      <MissingSettings settings={missingSettings} />
      <Problems preview={preview} />
      <Leavers leavers={preview.leavers} />
      <ProblemAlert error={change.error} />
      <Group justify="space-between" gap="sm">
        <Hint maw={620}>
          {t('rules', {
            system: words.payrollSystem[preview.system],
            treatment: words.taxTreatment[preview.taxTreatment],
            percent: preview.benefitValuation,
          })}
          <br />
          {t('frozen')}
        </Hint>
        {mayExport ? (
          <Action
            icon={IconDownload}
            onClick={exportAndDownload}
            loading={change.isPending}
            disabled={problemCount > 0 || missingSettings.length > 0 || periodAge === 'future'}
            label={t('export')}
          />
        ) : (
          <Hint>{t('mayNotExport')}</Hint>
        )}
      </Group>
    </Stack>
  );
}

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
          {(preview) => <Content preview={preview} period={period} />}
        </Query>
      </Section>
      {(query.data || query.error) && children}
    </>
  );
}

function VoidModal({ row, ...modal }: DialogState & { row: PayrollExport }) {
  const { t, formats } = useReader(texts);
  const [reason, setReason] = useState('');
  const number = String(row.number);
  return (
    <ConfirmChange
      {...modal}
      change={usePost<PayrollExport, ReasonBody>(at`/payroll/exports/${row.id}/void`, touched)}
      input={{ reason }}
      done={t('voidDone', { number })}
      title={t('voidTitle', { number, month: formats.month(row.period) })}
      confirmLabel={t('void')}
      danger
      disabled={reason.trim() === ''}
    >
      <Stack gap="sm">
        <Text>{t('voidHint')}</Text>
        <TextInput
          label={t('reason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          data-autofocus
        />
      </Stack>
    </ConfirmChange>
  );
}

function Amounts({ taxFree, flatTax, deduction }: PayrollExport) {
  const { t, formats } = useReader(texts);
  const sums = [
    [t('taxFree'), taxFree],
    [t('flatTax'), flatTax],
    [t('deduction'), deduction],
  ] as const;
  return sums
    .filter(([, { value }]) => value !== 0)
    .map(([label, money]) => (
      <Text key={label} className="figures">
        {label}: {formats.money(money.value)}
      </Text>
    ));
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
        {mayVoid && row.id === latest && (
          <Action
            size="xs"
            variant="default"
            onClick={() => show((modal) => <VoidModal {...modal} row={row} />)}
            label={t('void')}
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
      render: ({ period, lines, voided }) => (
        <>
          {formats.month(period)}
          <Small>{t('lines', { count: lines })}</Small>
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
              </Preview>
            </Stack>
          )
        }
      </Query>
    </Page>
  );
}
