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
  const write = (field: string, value: unknown) => formatValue(field, value) ?? '–';
  return (
    <ExportButton<ExplainedRecord>
      path={`/integrations/${integrationId}/syncs/${encodeURIComponent(syncId)}/records/export`}
      query={{ outcomes }}
      name={t('records', { id: syncId.replaceAll(/[^\w.-]+/g, '-') })}
      columns={[
        [t('hrId'), ({ hrId }) => hrId],
        [t('id'), ({ employeeId }) => employeeId],
        [t('outcome'), ({ outcome }) => words.recordOutcome[outcome]],
        [
          t('reason'),
          (record) => [record, ...record.reasons].map((one) => renderMessage(one.message) ?? one.detail).join(' '),
        ],
        [
          t('changes'),
          ({ changes }) =>
            changes
              .map(({ field, from, to }) => `${nameField(field)}: ${write(field, from)} → ${write(field, to)}`)
              .join('\n'),
        ],
      ]}
    />
  );
}

/** Exports the records of a sync that match the filter of the page. */
export const ExportRecords = (props: Props) => (
  <Suspense>
    <Content {...props} />
  </Suspense>
);
