import { Button, Card, Stack, Table, Text } from '@mantine/core';
import { IconReceiptEuro } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import type { BillingPeriod } from '../../../../../src/features/billing/contract.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { MoneyText } from '../../../ui/figures.tsx';
import { Page } from '../../../ui/Page.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx';
import { Section } from '../../../ui/Section.tsx';
import { useBilling } from '../api.ts';
import { chargeOrder } from '../charge-colours.ts';
import { Items } from './Items.tsx';
import { texts } from './texts.ts';

const isPeriod = (text: string) => /^\d{4}-(0[1-9]|1[0-2])-01$/.test(text);

const inOrder = ({ types }: BillingPeriod) =>
  types.toSorted((a, b) => chargeOrder.indexOf(a.chargeType) - chargeOrder.indexOf(b.chargeType));

function Totals({ period }: { period: BillingPeriod }) {
  const t = useTexts(texts);
  const words = useWords();
  const formats = useFormats();
  const { net, tax, gross } = period;
  const items = period.types.reduce((sum, type) => sum + type.items, 0);
  return (
    <Section title={t('byType')} flush>
      <Table className="data-table" aria-label={t('byType')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('type')}</Table.Th>
            <Table.Th ta="right">{t('items')}</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              {t('net')}
            </Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              {t('tax')}
            </Table.Th>
            <Table.Th ta="right">{t('gross')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {inOrder(period).map((type) => (
            <Table.Tr key={type.chargeType}>
              <Table.Td>{words.charge[type.chargeType]}</Table.Td>
              <Table.Td ta="right" className="figures">
                {formats.number(type.items)}
              </Table.Td>
              <Table.Td ta="right" visibleFrom="sm">
                <MoneyText money={type.net} />
              </Table.Td>
              <Table.Td ta="right" visibleFrom="sm">
                <MoneyText money={type.tax} />
              </Table.Td>
              <Table.Td ta="right">
                <MoneyText money={type.gross} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr fw={600}>
            <Table.Td>
              {t('total')}
              <Text size="xs" c="dimmed" hiddenFrom="sm">
                {t('net')} {formats.money(net.value)}, {t('tax')} {formats.money(tax.value)}
              </Text>
            </Table.Td>
            <Table.Td ta="right" className="figures">
              {formats.number(items)}
            </Table.Td>
            <Table.Td ta="right" visibleFrom="sm">
              <MoneyText money={net} />
            </Table.Td>
            <Table.Td ta="right" visibleFrom="sm">
              <MoneyText money={tax} />
            </Table.Td>
            <Table.Td ta="right">
              <MoneyText money={gross} />
            </Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Section>
  );
}

function Content({ period }: { period: BillingPeriod }) {
  return (
    <Stack gap="lg">
      <Totals period={period} />
      <Items period={period.period} types={inOrder(period).map(({ chargeType }) => chargeType)} />
    </Stack>
  );
}

function EmptyPeriod({ title }: { title: string }) {
  const t = useTexts(texts);
  const actions = (
    <Button component={Link} to="/billing" variant="light">
      {t('toBilling')}
    </Button>
  );
  return (
    <Card>
      <EmptyState icon={IconReceiptEuro} title={title} hint={t('emptyHint')} actions={actions} />
    </Card>
  );
}

export function Component() {
  const t = useTexts(texts);
  const formats = useFormats();
  const { period: address = '' } = useParams();
  const { data, error, refetch } = useBilling();
  const parents = [{ title: t('billing'), to: '/billing' }];
  if (!isPeriod(address)) {
    return (
      <Page title={t('billing')}>
        <EmptyPeriod title={t('invalidTitle')} />
      </Page>
    );
  }
  const period = data?.find((one) => one.period === address);
  return (
    <Page
      title={formats.month(address)}
      parents={parents}
      actions={
        period && (
          <Button component={Link} to={`/payroll?month=${address}`} variant="light">
            {t('payroll')}
          </Button>
        )
      }
    >
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data === undefined && !error && <RowsSkeleton rows={10} />}
      {data && (period ? <Content period={period} /> : <EmptyPeriod title={t('emptyTitle')} />)}
    </Page>
  );
}
