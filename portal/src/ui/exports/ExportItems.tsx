import { Suspense } from 'react';
import type { ChargeType } from '../../../../src/domain/enums.ts';
import type { ExplainedItem, ItemsQuery } from '../../../../src/features/billing/contract.ts';
import { useMessages } from '../../app/i18n/messages.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { ExportButton } from '../export.tsx';
import { texts } from './texts.ts';

const headings = [
  ...(['id', 'month', 'charge', 'hrId', 'firstName', 'lastName', 'companyShare', 'share'] as const),
  ...(['net', 'tax', 'gross', 'corrects', 'reason'] as const),
] as const;

interface Props {
  period: string;
  chargeType: ChargeType | undefined;
  corrections: ItemsQuery['corrections'] | undefined;
}

function Content({ period, ...query }: Props) {
  const { t, words } = useReader(texts);
  const { renderMessage } = useMessages();
  const month = period.slice(0, 7);
  const toCells = ({ id, charge, billing, corrects, reason, message, hrIntegration }: ExplainedItem) => [
    id,
    month,
    hrIntegration === null ? words.charge[charge.type] : `${words.charge[charge.type]} (${hrIntegration})`,
    charge.employee?.profile.hrId ?? '',
    charge.employee?.profile.firstName ?? '',
    charge.employee?.profile.lastName ?? '',
    charge.plan === null ? '' : charge.plan.companyAmount.value / 100,
    charge.plan === null ? '' : charge.plan.employeeAmount.value / 100,
    billing.total.value / 100,
    billing.tax.value / 100,
    billing.overall.value / 100,
    corrects?.id ?? '',
    renderMessage(message) ?? reason ?? '',
  ];
  return (
    <ExportButton
      path={`/billing/${period}/items/export`}
      query={query}
      name={t('items', { month })}
      headings={headings.map((heading) => t(heading))}
      toCells={toCells}
    />
  );
}

/** Exports the charges of a month that match the filter of the page. */
export const ExportItems = (props: Props) => (
  <Suspense>
    <Content {...props} />
  </Suspense>
);
