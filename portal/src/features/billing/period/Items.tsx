import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { type ChargeType, chargeTypes } from '../../../../../src/domain/enums.ts';
import type { ExplainedItem } from '../../../../../src/features/billing/contract.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { ExportItems } from '../../../ui/exports/ExportItems.tsx';
import { PlainSection } from '../../../ui/layout.tsx';
import { MessageText } from '../../../ui/MessageText.tsx';
import { ChoiceFilter, type Column, DataTable, useListState } from '../../../ui/table.tsx';
import { MoneyText, Small } from '../../../ui/text.tsx';
import { useBillingItems } from '../api.ts';
import { texts } from './texts.ts';

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

function useColumns(): Column<ExplainedItem>[] {
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
  ];
}

const correctionFilters = ['exclude', 'only'] as const;

export function Items({ period, types }: { period: string; types: readonly ChargeType[] }) {
  const { t, words } = useReader(texts);
  const columns = useColumns();
  const list = useListState();
  const [chargeType] = list.words('chargeType', chargeTypes);
  const [corrections] = list.words('corrections', correctionFilters);
  const query = useBillingItems(period, { page: list.page, perPage: list.perPage, chargeType, corrections });
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
    </PlainSection>
  );
}
