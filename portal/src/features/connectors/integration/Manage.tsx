import { Alert, Button, Modal, Radio, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { DeletionBody, HrIntegration } from '../../../../../src/features/connectors/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useCommonTexts } from '../../../app/i18n/common.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ConfirmModal } from '../../../ui/ConfirmModal.tsx';
import { NameForm } from '../../../ui/NameForm.tsx';
import { useDeleteIntegration, useDeletionPreview, useRenameIntegration } from '../api.ts';
import { texts } from './texts.ts';

interface Props {
  integration: HrIntegration;
  onClose(): void;
}

function RenameModal({ integration: { id, name: current }, onClose }: Props) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const rename = useRenameIntegration(id);
  const mutate = (name: string) => rename.mutate(name, { onSuccess: onClose });
  return (
    <Modal opened onClose={onClose} title={t('rename')} closeButtonProps={{ 'aria-label': common('close') }}>
      <NameForm
        label={t('name')}
        submitLabel={t('rename')}
        current={current}
        change={{ ...rename, mutate }}
        onCancel={onClose}
      />
    </Modal>
  );
}

/** Shows what becomes of the employees, and lets the user choose it, before the integration is deleted. */
function DeleteModal({ integration: { id, name }, onClose }: Props) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const [remaining, setRemaining] = useState<DeletionBody['remaining']>('keep');
  const preview = useDeletionPreview(id, true);
  const remove = useDeleteIntegration(id);
  const { linked = 0, last = 0 } = preview.data ?? {};
  const isOffboarding = remaining === 'offboard' && last > 0;
  const confirm = () =>
    remove.mutate(
      { remaining, confirm: last },
      {
        onSuccess: () => {
          notifications.show({ message: t('deleted', { name }), color: 'teal' });
          void navigate('/integrations');
        },
        onError: () => void preview.refetch(),
      },
    );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      onConfirm={confirm}
      title={t('deleteTitle', { name })}
      confirmLabel={t('delete')}
      danger
      {...(isOffboarding ? { typed: String(last) } : {})}
      pending={remove.isPending}
      disabled={preview.data === undefined}
      error={remove.error ?? preview.error}
    >
      <Stack gap="sm">
        <span>{t('deleteText', { count: linked })}</span>
        {linked > last && <span>{t('deleteElsewhere', { count: linked - last })}</span>}
        {last > 0 && (
          <Radio.Group
            label={t('deleteLast', { count: last })}
            value={remaining}
            onChange={(value) => setRemaining(value as typeof remaining)}
          >
            <Stack gap={6} mt={4}>
              <Radio value="keep" label={t('deleteKeep')} />
              <Radio value="offboard" label={t('deleteOffboard')} />
            </Stack>
          </Radio.Group>
        )}
        {isOffboarding && <Alert color="red">{t('deleteWarning', { count: last })}</Alert>}
      </Stack>
    </ConfirmModal>
  );
}

/** Renames or deletes an integration. */
export function Manage({ integration }: { integration: HrIntegration }) {
  const t = useTexts(texts);
  const mayRename = useAbility('integrations');
  const mayDelete = useAbility('integration-deletion');
  const [opened, setOpened] = useState<'rename' | 'delete'>();
  const close = () => setOpened(undefined);
  return (
    <>
      {mayRename && (
        <Button variant="default" onClick={() => setOpened('rename')}>
          {t('rename')}
        </Button>
      )}
      {mayDelete && (
        <Button variant="default" onClick={() => setOpened('delete')}>
          {t('delete')}
        </Button>
      )}
      {opened === 'rename' && <RenameModal integration={integration} onClose={close} />}
      {opened === 'delete' && <DeleteModal integration={integration} onClose={close} />}
    </>
  );
}
