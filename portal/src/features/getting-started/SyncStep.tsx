import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { HrIntegration } from '../../../../src/features/connectors/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { previewRoster, pushRoster, type Reader, rosterFile } from './examples.ts';
import { DoneNote, Inline, Part, Step } from './Step.tsx';
import { texts } from './texts.ts';

interface Props {
  reader: Reader;
  /** The integration that the examples push to. */
  integration: HrIntegration | undefined;
  lastSynced: string | undefined;
}

export function SyncStep({ reader, integration, lastSynced }: Props) {
  const t = useTexts(texts);
  const formats = useFormats();
  return (
    <Step number={3} title={t('syncTitle')} isDone={lastSynced !== undefined}>
      <Text size="sm">{t('syncText')}</Text>
      {integration && (
        <Group gap={6}>
          <Text size="sm" c="dimmed">
            {t('uploadHint')}
          </Text>
          <Anchor component={Link} to={`/integrations/${integration.id}/upload`} size="sm">
            {t('upload')}
          </Anchor>
        </Group>
      )}
      {lastSynced !== undefined && <DoneNote>{t('pushDone', { time: formats.relative(lastSynced) })}</DoneNote>}
      <Part title={t('integrationTitle')} isDone={integration !== undefined}>
        <Text size="sm">
          {integration
            ? t('integrationDone', { name: integration.name, id: String(integration.id) })
            : t('integrationOpen')}
        </Text>
        <Button component={Link} to="/integrations" variant="default" w="fit-content" size="compact-sm">
          {t('integrationAction')}
        </Button>
      </Part>
      <Alert color="orange" role="note" icon={<IconAlertTriangle size={18} />} py="xs">
        {t('warning')}
      </Alert>
      <Part title={t('rosterTitle')}>
        <Text size="sm">
          <Inline text={t('rosterText')} />
        </Text>
        <CodeBlock label={t('rosterTitle')} code={rosterFile} />
      </Part>
      <Part title={t('previewTitle')}>
        <Text size="sm">
          <Inline text={t('previewText')} /> {t('permissionsHint')}
        </Text>
        <CodeBlock label={t('previewCode')} code={previewRoster(reader)} />
      </Part>
      <Part title={t('pushTitle')} isDone={lastSynced !== undefined}>
        <Text size="sm">
          <Inline text={t('pushText')} />
        </Text>
        <CodeBlock label={t('pushCode')} code={pushRoster(reader)} />
      </Part>
    </Step>
  );
}
