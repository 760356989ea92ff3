import { Alert, List, Text } from '@mantine/core';
import type { SyncWarning } from '../../../../src/features/roster/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { IconAlertTriangle } from '../icons.gen.ts';
import { texts } from './texts.ts';

function Description({ warning: { code, field, count } }: { warning: SyncWarning }) {
  const { t } = useReader(texts);
  if (code !== 'unknown-field') return t(code, { count });
  return field === '*' ? t('otherFields', { count }) : t(code, { field, count });
}

/** Renders the entries that a warning concerns, or its first occurrence. */
function Places({ warning }: { warning: SyncWarning }) {
  const { t } = useReader(texts);
  const { records, pointer, count } = warning;
  const inWords = (place: string) => place.replace(/^row (\d+)/, (_all, line: string) => t('line', { line }));
  if (records.length === 0) {
    return (
      <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('first', { place: inWords(pointer) })}
      </Text>
    );
  }
  return (
    <details>
      <Text component="summary" c="dimmed">
        {t('records')}
      </Text>
      {count > records.length && <Text>{t('firstRecords', { shown: records.length })}</Text>}
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {records.map((record) => (
          <List.Item key={record.pointer}>
            {record.hrId === null
              ? inWords(record.pointer)
              : t('record', { hrId: record.hrId, place: inWords(record.pointer) })}
          </List.Item>
        ))}
      </List>
    </details>
  );
}

/** Renders the probable mistakes in a roster that was accepted nevertheless. */
export function Warnings({ warnings }: { warnings: readonly SyncWarning[] }) {
  const { t } = useReader(texts);
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={t('title')}>
      <Text mb="xs">{t('intro')}</Text>
      <List size="sm" spacing="xs">
        {warnings.map((warning) => (
          <List.Item key={`${warning.code} ${warning.field}`} style={{ overflowWrap: 'anywhere' }}>
            <Description warning={warning} />
            <Places warning={warning} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
