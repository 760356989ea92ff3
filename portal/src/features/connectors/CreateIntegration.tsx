import { Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useCommonTexts } from '../../app/i18n/common.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { NameForm } from '../../ui/NameForm.tsx';
import { Secret } from '../../ui/Secret.tsx';
import { useCreateIntegration } from './api.ts';
import { NextSteps } from './NextSteps.tsx';
import { texts } from './texts.ts';

function Created({ id, way, onClose }: { id: number; way: Way; onClose(): void }) {
  const t = useTexts(texts);
  return (
    <Stack>
      {way === 'upload' ? (
        <Text size="sm">{t('uploadNext')}</Text>
      ) : (
        <>
          <Secret label={t('id')} value={String(id)} />
          <Title order={3}>{t('stepsTitle')}</Title>
          <NextSteps integrationId={id} />
        </>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('done')}
        </Button>
        <Button component={Link} to={`/integrations/${id}${way === 'upload' ? '/upload' : ''}`}>
          {t(way === 'upload' ? 'uploadOpen' : 'open')}
        </Button>
      </Group>
    </Stack>
  );
}

/** How rosters will arrive. */
type Way = 'api' | 'upload';

interface Props {
  opened: boolean;
  way: Way;
  onClose(isCreated: boolean): void;
}

/** Asks for a name, then shows the new integration's id and the next steps. */
export function CreateIntegration({ opened, way, onClose }: Props) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const creation = useCreateIntegration();
  const created = creation.data;
  const close = () => onClose(created !== undefined);
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={creation.reset}
      size="lg"
      title={created ? t('createdTitle', { name: created.name }) : t('createTitle')}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {created ? (
        <Created id={created.id} way={way} onClose={close} />
      ) : (
        <NameForm
          label={t('name')}
          description={t('nameHint')}
          submitLabel={t('submit')}
          change={{ ...creation, mutate: (name) => creation.mutate({ name, type: 'api-integration' }) }}
          onCancel={close}
        >
          {way === 'api' && <Text size="sm">{t('createHint')}</Text>}
        </NameForm>
      )}
    </Modal>
  );
}
