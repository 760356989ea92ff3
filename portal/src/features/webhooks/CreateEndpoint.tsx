import { List, Modal, Title } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useCommonTexts } from '../../app/i18n/common.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useCreateWebhook } from './api.ts';
import { EndpointForm } from './EndpointForm.tsx';
import { SecretView } from './SecretView.tsx';
import { texts } from './texts.ts';

const empty = { url: '', eventTypes: [], description: '' };

/**
 * Asks for the settings of an endpoint, then shows its secret once. While it is shown, neither a stray click nor the
 * Escape key closes the modal.
 */
export function CreateEndpoint({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const navigate = useNavigate();
  const creation = useCreateWebhook();
  const created = creation.data;
  const isCreated = created !== undefined;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={creation.reset}
      size="lg"
      title={isCreated ? t('createdTitle') : t('newTitle')}
      closeOnClickOutside={!isCreated}
      closeOnEscape={!isCreated}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {isCreated ? (
        <SecretView
          secret={created.secret}
          hint={t('createdHint')}
          onDone={() => void navigate(`/webhooks/${created.id}`)}
        >
          <div>
            <Title order={3} mb={4}>
              {t('next')}
            </Title>
            <List size="sm" type="ordered" spacing={4}>
              <List.Item>{t('stepStore')}</List.Item>
              <List.Item>{t('stepVerify')}</List.Item>
              <List.Item>{t('stepTest')}</List.Item>
            </List>
          </div>
        </SecretView>
      ) : (
        <EndpointForm
          initial={empty}
          submitLabel={t('submit')}
          pending={creation.isPending}
          error={creation.error}
          onSubmit={(body) => creation.mutate(body)}
          onCancel={onClose}
        />
      )}
    </Modal>
  );
}
