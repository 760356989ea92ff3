import { SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import type { Provider } from '../../../../../src/domain/enums.ts';
import { useMe } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { texts } from './texts.ts';
import './set-up.css';

function SourceCard({ title, hint, onClick }: { title: string; hint: string; onClick(): void }) {
  return (
    <UnstyledButton className="source-card" p="md" onClick={onClick}>
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed" mt={4}>
        {hint}
      </Text>
    </UnstyledButton>
  );
}

interface Props {
  onChoose(provider: Provider, isDemo: boolean): void;
  /** Absent: rosters cannot be sent to the integration that is being set up. */
  onApi?: () => void;
  onUpload?: () => void;
}

/** Offers every source of rosters. */
export function ProviderCards({ onChoose, onApi, onUpload }: Props) {
  const t = useTexts(texts);
  const offersDemo = useMe().data?.offersDemo === true;
  const grid = { cols: { base: 1, sm: 2, lg: 3 }, spacing: 'sm' } as const;
  return (
    <Stack gap="lg">
      <Stack component="section" gap="sm" aria-labelledby="pulled">
        <Title order={2} id="pulled">
          {t('readEveryNight')}
        </Title>
        <SimpleGrid {...grid}>
          <SourceCard title="Personio" hint={t('personioHint')} onClick={() => onChoose('personio', false)} />
          <SourceCard title="HiBob" hint={t('hibobHint')} onClick={() => onChoose('hibob', false)} />
          <SourceCard title="BambooHR" hint={t('bamboohrHint')} onClick={() => onChoose('bamboohr', false)} />
          <SourceCard title={t('sftp')} hint={t('sftpHint')} onClick={() => onChoose('sftp-csv', false)} />
          {offersDemo && (
            <SourceCard title={t('demo')} hint={t('demoHint')} onClick={() => onChoose('personio', true)} />
          )}
        </SimpleGrid>
      </Stack>
      {onApi && (
        <Stack component="section" gap="sm" aria-labelledby="pushed">
          <Title order={2} id="pushed">
            {t('youSend')}
          </Title>
          <SimpleGrid {...grid}>
            {onUpload && <SourceCard title={t('upload')} hint={t('uploadHint')} onClick={onUpload} />}
            <SourceCard title={t('api')} hint={t('apiHint')} onClick={onApi} />
          </SimpleGrid>
        </Stack>
      )}
    </Stack>
  );
}
