import { ActionIcon, Button, Menu, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconDots, IconKey, IconPencil, IconPower, IconSend, IconTrash } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { Webhook } from '../../../../../src/features/webhooks/contract.ts';
import { useCommonTexts } from '../../../app/i18n/common.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ConfirmModal } from '../../../ui/ConfirmModal.tsx';
import { useConfirmedChange } from '../../../ui/confirmed-change.ts';
import { useDeleteWebhook, useRotateWebhookSecret, useSetWebhookState, useUpdateWebhook } from '../api.ts';
import { EndpointForm } from '../EndpointForm.tsx';
import { SecretView } from '../SecretView.tsx';
import { texts as listTexts } from '../texts.ts';
import { texts } from './texts.ts';

interface ModalProps {
  webhook: Webhook;
  opened: boolean;
  onClose(): void;
}

function EditModal({ webhook, opened, onClose }: ModalProps) {
  const t = useTexts(texts);
  const listed = useTexts(listTexts);
  const common = useCommonTexts();
  const update = useUpdateWebhook(webhook.id);
  const { url, eventTypes, description } = webhook;
  const onSuccess = () => {
    onClose();
    notifications.show({ color: 'teal', message: t('saved') });
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={update.reset}
      size="lg"
      title={listed('editTitle')}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <EndpointForm
        initial={{ url, eventTypes, description }}
        submitLabel={listed('save')}
        pending={update.isPending}
        error={update.error}
        onSubmit={(body) => update.mutate(body, { onSuccess })}
        onCancel={onClose}
      />
    </Modal>
  );
}

function RotateModal({ webhook, opened, onClose }: ModalProps) {
  const t = useTexts(texts);
  const listed = useTexts(listTexts);
  const common = useCommonTexts();
  const rotate = useRotateWebhookSecret(webhook.id);
  const secret = rotate.data?.secret;
  if (secret === undefined) {
    return (
      <ConfirmModal
        opened={opened}
        onClose={() => {
          rotate.reset();
          onClose();
        }}
        onConfirm={() => rotate.mutate(undefined)}
        title={t('rotateTitle')}
        confirmLabel={t('rotate')}
        pending={rotate.isPending}
        error={rotate.error}
        inWords={{ 'not-found': t('gone') }}
      >
        {t('rotateText')}
      </ConfirmModal>
    );
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={rotate.reset}
      size="lg"
      title={t('rotatedTitle')}
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <SecretView secret={secret} hint={listed('rotatedHint')} onDone={onClose} />
    </Modal>
  );
}

function DisableModal({ webhook, opened, onClose }: ModalProps) {
  const t = useTexts(texts);
  const { modalProps, execute } = useConfirmedChange(useSetWebhookState(webhook.id), onClose);
  return (
    <ConfirmModal
      {...modalProps}
      opened={opened}
      onConfirm={() => void execute({ state: 'disabled' }, t('disabled'))}
      title={t('disableTitle')}
      confirmLabel={t('disable')}
      inWords={{ 'not-found': t('gone') }}
      danger
    >
      {t('disableText')}
    </ConfirmModal>
  );
}

function DeleteModal({ webhook, opened, onClose }: ModalProps) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const remove = useDeleteWebhook(webhook.id);
  const { modalProps, execute } = useConfirmedChange(remove, onClose);
  const confirm = async () => {
    await execute(undefined, t('deleted'));
    await navigate('/webhooks', { replace: true });
  };
  return (
    <ConfirmModal
      {...modalProps}
      opened={opened}
      onConfirm={() => void confirm()}
      title={t('deleteTitle')}
      confirmLabel={t('remove')}
      inWords={{ 'not-found': t('gone') }}
      danger
    >
      {t('deleteText')}
    </ConfirmModal>
  );
}

interface Props {
  webhook: Webhook;
  onTest(): void;
  isTesting: boolean;
}

/** Renders the buttons of an endpoint, for those who may change it. */
export function Actions({ webhook, onTest, isTesting }: Props) {
  const t = useTexts(texts);
  const [editing, edit] = useDisclosure(false);
  const [rotating, rotate] = useDisclosure(false);
  const [disabling, disable] = useDisclosure(false);
  const [deleting, remove] = useDisclosure(false);
  const isEnabled = webhook.state === 'enabled';
  return (
    <>
      {isEnabled && (
        <Button leftSection={<IconSend size={16} aria-hidden />} onClick={onTest} loading={isTesting}>
          {t('test')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={edit.open}>
            {t('edit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={rotate.open}>
            {t('rotate')}
          </Menu.Item>
          {isEnabled && (
            <Menu.Item leftSection={<IconPower size={16} aria-hidden />} onClick={disable.open}>
              {t('disable')}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove.open}>
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditModal webhook={webhook} opened={editing} onClose={edit.close} />
      <RotateModal webhook={webhook} opened={rotating} onClose={rotate.close} />
      <DisableModal webhook={webhook} opened={disabling} onClose={disable.close} />
      <DeleteModal webhook={webhook} opened={deleting} onClose={remove.close} />
    </>
  );
}
