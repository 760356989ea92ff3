import { Suspense } from 'react';
import type { ChargeType } from '../../../../src/domain/enums.ts';
import type { ExplainedItem, ItemsQuery } from '../../../../src/features/billing/contract.ts';
import { useMessages } from '../../app/i18n/messages.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { ExportButton } from '../export.tsx';
import { texts } from './texts.ts';

interface Props {
  period: string;
  chargeType: ChargeType | undefined;
  corrections: ItemsQuery['corrections'] | undefined;
}

function Content({ period, ...query }: Props) {
  const { t, words } = useReader(texts);
  const { renderMessage } = useMessages();
  const month = period.slice(0, 7);
  return (
    <ExportButton<ExplainedItem>
      path={`/billing/${period}/items/export`}
      query={query}
      name={t('items', { month })}
      columns={[
        [t('id'), ({ id }) => id],
        [t('month'), () => month],
        [
          t('charge'),
          ({ charge: { type }, hrIntegration: system }) =>
            system === null ? words.charge[type] : `${words.charge[type]} (${system})`,
        ],
        [t('hrId'), ({ charge }) => charge.employee?.profile.hrId],
        [t('firstName'), ({ charge }) => charge.employee?.profile.firstName],
        [t('lastName'), ({ charge }) => charge.employee?.profile.lastName],
        [t('companyShare'), ({ charge: { plan } }) => plan && plan.companyAmount.value / 100],
        [t('share'), ({ charge: { plan } }) => plan && plan.employeeAmount.value / 100],
        [t('net'), ({ billing }) => billing.total.value / 100],
        [t('tax'), ({ billing }) => billing.tax.value / 100],
        [t('gross'), ({ billing }) => billing.overall.value / 100],
        [t('corrects'), ({ corrects }) => corrects?.id],
        [t('reason'), ({ message, reason }) => renderMessage(message) ?? reason],
      ]}
    />
  );
}

/** Exports the charges of a month that match the filter of the page. */
export const ExportItems = (props: Props) => (
  <Suspense>
    <Content {...props} />
  </Suspense>
);
