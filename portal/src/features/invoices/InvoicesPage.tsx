import { Anchor, Badge, Card, SimpleGrid, Stack } from '@mantine/core';
import { Link } from 'react-router';
import type { Invoice, Invoices } from '../../../../src/features/invoices/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useGet } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { useComparison } from '../../ui/comparison/Comparison.tsx';
import { IconFileInvoice } from '../../ui/icons.gen.ts';
import { Page, Stat } from '../../ui/layout.tsx';
import { EmptyState, Query } from '../../ui/Query.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { DateText, MoneyText, Small } from '../../ui/text.tsx';
import { InvoiceFiles, MissingForInvoice, signed } from './invoice-parts.tsx';
import { texts } from './texts.ts';

function Figures({ years, latest }: Pick<Invoices, 'years' | 'latest'>) {
  const { t, formats } = useReader(texts);
  const compare = useComparison();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} className="later-on-phones">
      {latest && (
        <Stat
          label={t('latest', { month: formats.month(latest.period) })}
          value={formats.money(latest.gross.value)}
          hint={latest.differenceCents === 0 ? t('same') : compare(latest.differenceCents, formats.money)}
        />
      )}
      {years.map(({ year, gross, net, tax, invoices }) => (
        <Stat
          key={year}
          label={t('year', { year: String(year) })}
          value={formats.money(gross.value)}
          hint={t('yearHint', { net: formats.money(net.value), tax: formats.money(tax.value), count: invoices })}
        />
      ))}
    </SimpleGrid>
  );
}

/** Says what an invoice charges: how many tickets, and which fees. */
function Contents({ lines }: Invoice) {
  const { t, formats, words } = useReader(texts);
  return lines.map(({ type, quantity, unitPrice }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an invoice never change.
    <Small key={index}>
      {formats.number(quantity)} × {type === 'rounding' ? t('rounding') : words.charge[type]}
      {unitPrice && ` (${formats.money(unitPrice.value)})`}
    </Small>
  ));
}

function InvoicesTable({ invoices }: Pick<Invoices, 'invoices'>) {
  const { t, formats } = useReader(texts);
  const mayDownload = useAbility('invoice-files');
  const monthOf = ({ period }: Invoice) => (
    <Anchor component={Link} to={`/billing/${period}`} inherit>
      {formats.month(period)}
    </Anchor>
  );
  const columns: Column<Invoice>[] = [
    {
      header: t('number'),
      cell: { className: 'figures', style: { whiteSpace: 'nowrap' } },
      render: (invoice) => (
        <>
          {invoice.number}
          <Small hiddenFrom="sm">{monthOf(invoice)}</Small>
        </>
      ),
    },
    {
      header: t('type'),
      wideOnly: true,
      render: ({ type }) => <Badge color={type === 'invoice' ? 'teal' : 'grape'}>{t(type)}</Badge>,
    },
    { header: t('month'), wideOnly: true, render: monthOf },
    { header: t('contents'), wideOnly: 'md', render: (invoice) => <Contents {...invoice} /> },
    { header: t('date'), wideOnly: 'md', render: ({ issuedOn }) => <DateText date={issuedOn} /> },
    {
      header: t('dueOn'),
      wideOnly: 'md',
      render: ({ type, dueOn }) => <DateText date={type === 'invoice' ? dueOn : null} />,
    },
    { header: t('gross'), align: 'right', render: (invoice) => <MoneyText money={signed(invoice)} strong /> },
    ...(mayDownload
      ? [{ header: t('files'), align: 'right' as const, render: (invoice: Invoice) => <InvoiceFiles {...invoice} /> }]
      : []),
  ];
  return (
    <Card padding={0}>
      <Rows label={t('list')} rows={invoices} rowKey={({ id }) => id} columns={columns} />
    </Card>
  );
}

export function Component() {
  const { t } = useReader(texts);
  return (
    <Page title={t('invoices')} description={t('description')}>
      <Query of={useGet<Invoices>(['invoices'], '/invoices')} rows={10}>
        {({ invoices, years, latest, missing }) => (
          <Stack gap="lg">
            {missing.length > 0 && <MissingForInvoice missing={missing} />}
            {invoices.length === 0 ? (
              <EmptyState icon={IconFileInvoice} title={t('emptyTitle')} hint={t('emptyHint')} inCard />
            ) : (
              <>
                <Figures years={years} latest={latest} />
                <InvoicesTable invoices={invoices} />
              </>
            )}
          </Stack>
        )}
      </Query>
    </Page>
  );
}
