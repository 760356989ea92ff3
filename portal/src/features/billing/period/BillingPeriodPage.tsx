import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { type ChargeType, chargeTypes } from '../../../../../src/domain/enums.ts';
import type { BillingPeriod, ExplainedItem, ItemsQuery } from '../../../../../src/features/billing/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useGetPage } from '../../../app/api/queries.ts';
import { at } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, SmallAction } from '../../../ui/Action.tsx';
import { useDialog } from '../../../ui/Dialog.tsx';
import { ExportItems } from '../../../ui/exports/ExportItems.tsx';
import { IconReceiptEuro } from '../../../ui/icons.gen.ts';
import { Page, PlainSection, Section } from '../../../ui/layout.tsx';
import { useListState } from '../../../ui/list-state.ts';
import { MessageText } from '../../../ui/MessageText.tsx';
import { EmptyState, Query } from '../../../ui/Query.tsx';
import { type Column, Rows } from '../../../ui/rows.tsx';
import { ChoiceFilter, DataTable } from '../../../ui/table.tsx';
import { MoneyText, Small } from '../../../ui/text.tsx';
import { CorrectModal } from '../../corrections/CorrectModal.tsx';
import { useBilling } from '../api.ts';
import { chargeOrder } from '../charge-colours.ts';
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

function Correction({ item: { corrects, reason, message } }: { item: ExplainedItem }) {
  const { t, formats } = useReader(texts);
  if (corrects === null) return null;
  return (
    <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
      {t('correction', { id: String(corrects.id), period: formats.month(corrects.period) })}{' '}
      {message === null ? reason : <MessageText message={message} />}
    </Text>
  );
}

/** Renders the employee who was charged, with the data at the time of billing, even if they have been removed since. */
function Charged({ item: { charge, hrIntegration } }: { item: ExplainedItem }) {
  const { t, words } = useReader(texts);
  const type = words.charge[charge.type];
  if (charge.employee === null) {
    return (
      <div>
        <Text>{hrIntegration === null ? t('company') : t('companyBy', { integration: hrIntegration })}</Text>
        <Small hiddenFrom="sm">{type}</Small>
      </div>
    );
  }
  const { id, firstName, lastName, hrId } = charge.employee.profile;
  const name = [firstName, lastName].filter((part) => part !== null).join(' ') || t('removed');
  return (
    <div>
      {id === null ? (
        <Text>{name}</Text>
      ) : (
        <Anchor component={Link} to={`/employees/${id}`}>
          {name}
        </Anchor>
      )}
      <Small>
        {hrId === null ? t('noHrId') : t('hrId', { hrId })}
        <Text span inherit hiddenFrom="sm">
          {' · '}
          {type}
        </Text>
      </Small>
    </div>
  );
}

function useColumns(correct: ((item: ExplainedItem) => void) | undefined): Column<ExplainedItem>[] {
  const { t, words } = useReader(texts);
  const money = (header: string, of: (item: ExplainedItem) => ExplainedItem['billing']['total'] | null) => ({
    header,
    align: 'right' as const,
    wideOnly: true,
    render: (item: ExplainedItem) => <MoneyText money={of(item)} />,
  });
  return [
    {
      header: t('for'),
      render: (item) => (
        <>
          <Charged item={item} />
          <Correction item={item} />
        </>
      ),
    },
    {
      header: t('type'),
      wideOnly: true,
      render: ({ charge }) => <span style={{ whiteSpace: 'nowrap' }}>{words.charge[charge.type]}</span>,
    },
    money(t('companyShare'), ({ charge }) => charge.plan?.companyAmount ?? null),
    money(t('share'), ({ charge }) => charge.plan?.employeeAmount ?? null),
    money(t('net'), ({ billing }) => billing.total),
    money(t('tax'), ({ billing }) => billing.tax),
    { header: t('gross'), align: 'right', render: ({ billing }) => <MoneyText money={billing.overall} strong /> },
    ...(correct
      ? [
          {
            header: t('actions'),
            isHeaderHidden: true,
            align: 'right' as const,
            wideOnly: true,
            render: (item: ExplainedItem) =>
              item.corrects === null && (
                <SmallAction
                  label={t('reverse')}
                  aria-label={t('reverseItem', { id: String(item.id) })}
                  onClick={() => correct(item)}
                />
              ),
          },
        ]
      : []),
  ];
}

const correctionFilters = ['exclude', 'only'] as const;

function Items({ period, types }: { period: string; types: readonly ChargeType[] }) {
  const { t, words } = useReader(texts);
  const mayCorrect = useAbility('corrections');
  const { show, dialog } = useDialog();
  const columns = useColumns(
    mayCorrect ? ({ id }) => show((props) => <CorrectModal {...props} choice={{ items: [id] }} />) : undefined,
  );
  const list = useListState();
  const [chargeType] = list.words('chargeType', chargeTypes);
  const [corrections] = list.words('corrections', correctionFilters);
  const query = useGetPage<ExplainedItem, ItemsQuery>(['billing', period, 'items'], at`/billing/${period}/items`, {
    page: list.page,
    perPage: list.perPage,
    chargeType,
    corrections,
  });
  const filters = (
    <Group gap="sm">
      <ExportItems period={period} chargeType={chargeType} corrections={corrections} />
      <ChoiceFilter
        list={list}
        name="chargeType"
        aria-label={t('filter')}
        all={t('allTypes')}
        data={types.map((value) => ({ value, label: words.charge[value] }))}
        w={220}
      />
      <ChoiceFilter
        list={list}
        name="corrections"
        aria-label={t('correctionsFilter')}
        all={t('withCorrections')}
        data={correctionFilters.map((value) => ({ value, label: t(value) }))}
        w={220}
      />
    </Group>
  );
  return (
    <PlainSection title={t('itemsTitle')} aside={filters}>
      <DataTable label={t('itemsTitle')} columns={columns} query={query} list={list} rowKey={({ id }) => id} />
      {dialog}
    </PlainSection>
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
