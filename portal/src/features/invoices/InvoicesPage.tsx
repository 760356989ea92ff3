import { Alert, Anchor, Badge, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import {
  type Icon,
  IconEye,
  IconFileCode,
  IconFileInvoice,
  IconFileTypePdf,
  IconInfoCircle,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Invoice, Invoices } from '../../../../src/features/invoices/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useGet } from '../../app/api/queries.ts';
import { at, pathTo } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, FileIcon } from '../../ui/Action.tsx';
import { useComparison } from '../../ui/comparison/Comparison.tsx';
import { Page, Stat } from '../../ui/layout.tsx';
import { EmptyState, Query } from '../../ui/Query.tsx';
import { type Column, Rows } from '../../ui/table.tsx';
import { DateText, MoneyText, Small } from '../../ui/text.tsx';
import { texts } from './texts.ts';

function Missing({ missing }: Pick<Invoices, 'missing'>) {
  const { t } = useReader(texts);
  const maySet = useAbility('settings');
  const fields = (['street', 'postCode', 'city', 'vatId'] as const).filter((field) => missing.includes(field));
  return (
    <Alert color="orange" title={t('missingTitle')} icon={<IconInfoCircle size={18} />}>
      <Stack gap="xs" align="flex-start">
        {missing.includes('seller') && <Text>{t('missingSeller')}</Text>}
        {fields.length > 0 && (
          <Text>
            {t('missingBuyer', { fields: fields.map((field) => t(field)).join(', ') })} {!maySet && t('askAdmin')}
          </Text>
        )}
        <Text>{t('later')}</Text>
        {fields.length > 0 && maySet && <Action to="/settings" variant="light" size="xs" label={t('toSettings')} />}
      </Stack>
    </Alert>
  );
}

function Figures({ years, latest }: Pick<Invoices, 'years' | 'latest'>) {
  const { t, formats } = useReader(texts);
  const compare = useComparison();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
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

function Files({ id, number, downloadable }: Invoice) {
  const { t } = useReader(texts);
  if (!downloadable) return <Small ta="right">{t('preparing')}</Small>;
  const path = pathTo(at`/invoices/${id}/download`);
  // There is room for one icon on a phone.
  const icon = (format: 'pdf' | 'xrechnung', picture: Icon) => (
    <FileIcon label={t(format)} name={number} href={`${path}?format=${format}`} icon={picture} visibleFrom="sm" />
  );
  return (
    <Group gap={6} justify="flex-end">
      <FileIcon label={t('preview')} name={number} href={`${path}?format=pdf&inline=true`} icon={IconEye} isPreview />
      {icon('pdf', IconFileTypePdf)}
      {icon('xrechnung', IconFileCode)}
    </Group>
  );
}

/** Invoice and correction both state positive amounts. In one list, a correction has a minus sign. */
const signed = ({ type, overall }: Invoice) => (type === 'invoice' ? overall : { ...overall, value: -overall.value });

function InvoicesTable({ invoices }: Pick<Invoices, 'invoices'>) {
  const { t, formats } = useReader(texts);
  const mayDownload = useAbility('invoice-files');
  const columns: Column<Invoice>[] = [
    { header: t('number'), cell: { className: 'figures' }, render: ({ number }) => number },
    {
      header: t('type'),
      wideOnly: true,
      render: ({ type }) => <Badge color={type === 'invoice' ? 'teal' : 'grape'}>{t(type)}</Badge>,
    },
    {
      header: t('month'),
      render: ({ period }) => (
        <Anchor component={Link} to={`/billing/${period}`}>
          {formats.month(period)}
        </Anchor>
      ),
    },
    { header: t('date'), wideOnly: 'md', render: ({ issuedOn }) => <DateText date={issuedOn} /> },
    {
      header: t('dueOn'),
      wideOnly: 'md',
      render: ({ type, dueOn }) => <DateText date={type === 'invoice' ? dueOn : null} />,
    },
    { header: t('gross'), align: 'right', render: (invoice) => <MoneyText money={signed(invoice)} strong /> },
    ...(mayDownload
      ? [{ header: t('files'), align: 'right' as const, render: (invoice: Invoice) => <Files {...invoice} /> }]
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
            {missing.length > 0 && <Missing missing={missing} />}
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
