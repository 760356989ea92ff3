import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RosterPreview } from '../../../../../src/features/roster/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { Counts } from '../../../ui/records/Counts.tsx';
import { Effects } from '../../../ui/records/Effects.tsx';
import { Section } from '../../../ui/Section.tsx';
import { Warnings } from '../../../ui/warnings/Warnings.tsx';
import { PreviewRecords } from './PreviewRecords.tsx';
import { texts } from './texts.ts';

/** Renders what the roster would do. Nothing has been applied yet. */
export function Preview({ preview, actions }: { preview: RosterPreview; actions: ReactNode }) {
  const t = useTexts(texts);
  const { created, updated, offboarded, held, failed } = preview.counts;
  const count = created + updated + offboarded + held + failed;
  const notice = (text: string, colour: string) => (
    <Alert color={colour} py="xs">
      <Text size="sm">{text}</Text>
    </Alert>
  );
  return (
    <>
      <Section title={t('previewTitle')}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('entries', { count: preview.entries })} {count === 0 && t('nothing')}
          </Text>
          <Effects preview={preview} />
          <Counts counts={preview.counts} />
          {held > 0 && notice(t('held', { count: held }), 'orange')}
          {offboarded > 0 && notice(t('leaving', { count: offboarded }), 'yellow')}
          {failed > 0 && notice(t('failing', { count: failed }), 'red')}
          <Warnings warnings={preview.warnings} />
          {actions}
        </Stack>
      </Section>
      {preview.records.length > 0 && <PreviewRecords preview={preview} total={count} />}
    </>
  );
}
