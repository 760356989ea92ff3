import { FileButton, Group, Select } from '@mantine/core';
import { useState } from 'react';
import type { IssuerPage, StoredInvoice } from '../../../../src/features/issuers/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { usePost } from '../../app/api/queries.ts';
import { readBase64 } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { IconFileInvoice } from '../../ui/icons.gen.ts';
import { Section } from '../../ui/layout.tsx';
import { MessageText } from '../../ui/MessageText.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Hint, Small } from '../../ui/text.tsx';
import { EmployeeName } from './EmployeeName.tsx';
import { texts } from './texts.ts';

const acceptedFiles = '.csv,.txt,.xlsx,text/csv';

/** Chooses the invoice of a month. It is compared at once. */
function Upload({ months }: { months: readonly string[] }) {
  const { t, formats } = useReader(texts);
  const [month, setMonth] = useState(months[0] ?? '');
  const compare = usePost<unknown, { month: string; content: string }>('/issuer/invoices', ['issuer', 'activity']);
  const choose = async (file: File | null) => file && compare.mutate({ month, content: await readBase64(file) });
  return (
    <>
      <Group gap="sm" align="flex-end" mt="sm">
        <Select
          label={t('month')}
          data={months.map((value) => ({ value, label: formats.month(`${value}-01`) }))}
          value={month}
          onChange={(value) => value && setMonth(value)}
          allowDeselect={false}
        />
        <FileButton
          accept={acceptedFiles}
          onChange={(file) => void choose(file)}
          inputProps={{ 'aria-label': t('chooseInvoice') }}
        >
          {(props) => (
            <Action
              {...props}
              variant="default"
              icon={IconFileInvoice}
              loading={compare.isPending}
              label={t('chooseInvoice')}
            />
          )}
        </FileButton>
      </Group>
      {compare.error && <ProblemAlert error={compare.error} />}
    </>
  );
}

type Listed = StoredInvoice['differences'][number];

function Compared({ month, lines, billedCents, expectedCents, comparedAt, ...found }: StoredInvoice) {
  const { t, formats } = useReader(texts);
  const { differenceCount: count, differences } = found;
  const title = t('invoiceOf', { month: formats.month(`${month}-01`) });
  const money = (cents: number | null) => (cents === null ? '–' : formats.money(cents));
  const columns: Column<Listed>[] = [
    { header: t('row'), align: 'right', render: ({ row }) => row ?? '–' },
    {
      header: t('person'),
      render: ({ employeeId, name, number }) =>
        employeeId !== null && name !== null ? (
          <EmployeeName id={employeeId} name={name} />
        ) : (
          <span className="breakable">{number ?? '–'}</span>
        ),
    },
    { header: t('billed'), align: 'right', render: ({ billedCents: cents }) => money(cents) },
    { header: t('expected'), align: 'right', wideOnly: true, render: ({ expectedCents: cents }) => money(cents) },
    { header: t('what'), wideOnly: true, render: ({ message }) => <MessageText message={message} /> },
  ];
  const sums = { billed: money(billedCents), expected: money(expectedCents), lines };
  return (
    <Section title={title} flush={count > 0}>
      <Small p={count > 0 ? 'md' : 0}>
        {t('invoiceSums', { ...sums, time: formats.time(comparedAt) })} {count === 0 && t('noDifferences')}{' '}
        {count > differences.length && t('moreDifferences', { shown: differences.length, count })}
      </Small>
      {count > 0 && <Rows label={title} rows={differences} rowKey={(_, index) => index} columns={columns} isQuiet />}
    </Section>
  );
}

/** Compares invoices of the issuer with the tickets, and shows how the last ones differ. */
export function Invoices({
  invoices,
  months,
}: {
  invoices: StoredInvoice[];
  months: IssuerPage['settings']['months'];
}) {
  const { t } = useReader(texts);
  const mayCompare = useAbility('invoice-files') && months.length > 0;
  return (
    <>
      {mayCompare && (
        <Section title={t('invoices')}>
          <Hint>{t('invoicesHint')}</Hint>
          <Upload months={months.map(({ month }) => month)} />
        </Section>
      )}
      {invoices.map((invoice) => (
        <Compared key={invoice.month} {...invoice} />
      ))}
    </>
  );
}
