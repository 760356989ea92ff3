import { Stack } from '@mantine/core';
import { IconReceiptEuro } from '@tabler/icons-react';
import { useParams } from 'react-router';
import type { BillingPeriod } from '../../../../../src/features/billing/contract.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action } from '../../../ui/Action.tsx';
import { Page, Section } from '../../../ui/layout.tsx';
import { EmptyState, Query } from '../../../ui/Query.tsx';
import { type Column, Rows } from '../../../ui/table.tsx';
import { MoneyText, Small } from '../../../ui/text.tsx';
import { useBilling } from '../api.ts';
import { chargeOrder } from '../charge-colours.ts';
import { Items } from './Items.tsx';
import { texts } from './texts.ts';

const isPeriod = (text: string) => /^\d{4}-(0[1-9]|1[0-2])-01$/.test(text);

const inOrder = ({ types }: BillingPeriod) =>
  types.toSorted((a, b) => chargeOrder.indexOf(a.chargeType) - chargeOrder.indexOf(b.chargeType));

function Totals({ period }: { period: BillingPeriod }) {
  const { t, words, formats } = useReader(texts);
  const items = period.types.reduce((sum, type) => sum + type.items, 0);
  const sum = (of: 'net' | 'tax' | 'gross'): Column<BillingPeriod['types'][number]> => ({
    header: t(of),
    align: 'right',
    wideOnly: of !== 'gross',
    render: (type) => <MoneyText money={type[of]} />,
    total: <MoneyText money={period[of]} />,
  });
  return (
    <Section title={t('byType')} flush>
      <Rows
        label={t('byType')}
        rows={inOrder(period)}
        rowKey={({ chargeType }) => chargeType}
        isQuiet
        columns={[
          {
            header: t('type'),
            render: ({ chargeType }) => words.charge[chargeType],
            total: (
              <>
                {t('total')}
                <Small hiddenFrom="sm">
                  {t('net')} {formats.money(period.net.value)}, {t('tax')} {formats.money(period.tax.value)}
                </Small>
              </>
            ),
          },
          {
            header: t('items'),
            align: 'right',
            cell: { className: 'figures' },
            render: (type) => formats.number(type.items),
            total: formats.number(items),
          },
          sum('net'),
          sum('tax'),
          sum('gross'),
        ]}
      />
    </Section>
  );
}

function EmptyPeriod({ title }: { title: string }) {
  const { t } = useReader(texts);
  const actions = <Action to="/billing" variant="light" label={t('toBilling')} />;
  return <EmptyState icon={IconReceiptEuro} title={title} hint={t('emptyHint')} actions={actions} inCard />;
}

export function Component() {
  const { t, formats } = useReader(texts);
  const { period: address = '' } = useParams();
  const billing = useBilling();
  const parents = [{ title: t('billing'), to: '/billing' }];
  if (!isPeriod(address)) {
    return (
      <Page title={t('billing')}>
        <EmptyPeriod title={t('invalidTitle')} />
      </Page>
    );
  }
  const period = billing.data?.find((one) => one.period === address);
  return (
    <Page
      title={formats.month(address)}
      parents={parents}
      actions={period && <Action to={`/payroll?month=${address}`} variant="light" label={t('payroll')} />}
    >
      <Query of={billing} rows={10}>
        {() =>
          period ? (
            <Stack gap="lg">
              <Totals period={period} />
              <Items period={period.period} types={inOrder(period).map(({ chargeType }) => chargeType)} />
            </Stack>
          ) : (
            <EmptyPeriod title={t('emptyTitle')} />
          )
        }
      </Query>
    </Page>
  );
}
