import { Suspense } from 'react';
import type { RecordOutcome } from '../../../../src/domain/enums.ts';
import type { ExplainedRecord } from '../../../../src/features/roster/contract.ts';
import { useMessages } from '../../app/i18n/messages.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { ExportButton } from '../export.tsx';
import { useFieldValues } from '../records/records.tsx';
import { texts } from './texts.ts';

interface Props {
  integrationId: number;
  syncId: string;
  outcomes: readonly RecordOutcome[];
}

function Content({ integrationId, syncId, outcomes }: Props) {
  const { t, words } = useReader(texts);
  const { renderMessage } = useMessages();
  const { nameField, formatValue } = useFieldValues();
  const toCells = ({ hrId, employeeId, outcome, message, detail, reasons, changes }: ExplainedRecord) => [
    hrId,
    employeeId ?? '',
    words.recordOutcome[outcome],
    [{ message, detail }, ...reasons].map((one) => renderMessage(one.message) ?? one.detail).join(' '),
    changes
      .map(
        ({ field, from, to }) =>
          `${nameField(field)}: ${formatValue(field, from) ?? '–'} → ${formatValue(field, to) ?? '–'}`,
      )
      .join('\n'),
  ];
  return (
    <ExportButton
      path={`/integrations/${integrationId}/syncs/${encodeURIComponent(syncId)}/records/export`}
      query={{ outcomes }}
      name={t('records', { id: syncId.replaceAll(/[^\w.-]+/g, '-') })}
      headings={[t('hrId'), t('id'), t('outcome'), t('reason'), t('changes')]}
      toCells={toCells}
    />
  );
}

/** Exports the records of a sync that match the filter of the page. */
export const ExportRecords = (props: Props) => (
  <Suspense>
    <Content {...props} />
  </Suspense>
);
