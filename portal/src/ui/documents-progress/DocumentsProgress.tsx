import { Card, Progress, Stack, Text } from '@mantine/core';
import { useReader } from '../../app/i18n/reader.ts';
import { useDocumentsProgress } from '../../features/documents/api.ts';
import { texts } from './texts.ts';

/** Renders how many documents are written, as long as there are some to write. */
export function DocumentsProgress() {
  const { t } = useReader(texts);
  const { pending, total } = useDocumentsProgress().data ?? { pending: 0, total: 0 };
  if (pending === 0) return null;
  const written = total - pending;
  return (
    <Card padding="sm" className="no-print">
      <Stack gap={6}>
        <Text className="figures" role="status">
          {t('written', { written, total })}
        </Text>
        <Progress value={(written / Math.max(1, total)) * 100} animated aria-label={t('writing')} />
      </Stack>
    </Card>
  );
}
