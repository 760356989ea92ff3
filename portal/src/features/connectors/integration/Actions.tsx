import { Radio, Stack } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { DeletionBody, DeletionPreview } from '../../../../../src/features/connectors/contract.ts';
import type {
  HrIntegration,
  IntegrationStatusBody,
  RenameBody,
} from '../../../../../src/features/integrations/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useChange, useGet, usePost } from '../../../app/api/queries.ts';
import { at, post } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, ActionMenu, MenuAction, Notice } from '../../../ui/Action.tsx';
import { ConfirmChange, Dialog, type DialogState, useDialog } from '../../../ui/Dialog.tsx';
import { EffectsLine } from '../../../ui/effects/EffectsLine.tsx';
import { NameForm } from '../../../ui/fields.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { acceptsUpload, isPulling, touched, touchedBySync, useConnection, useRequestPull } from '../api.ts';
import { texts } from './texts.ts';

interface Props {
  integration: HrIntegration;
}

interface SwitchProps extends Props, DialogState {
  target: 'active' | 'inactive';
}

function SwitchModal({ integration: { id, name }, target, ...modal }: SwitchProps) {
  const { t } = useReader(texts);
  const word = target === 'inactive' ? 'disable' : 'enable';
  return (
    <ConfirmChange
      {...modal}
      change={usePost<HrIntegration, IntegrationStatusBody>(at`/integrations/${id}/status`, touched)}
      input={{ status: target }}
      done={t(`${word}d`, { name })}
      title={t(`${word}Title`, { name })}
      confirmLabel={t(word)}
      danger={target === 'inactive'}
    >
      {t(`${word}Text`)}
    </ConfirmChange>
  );
}

/** Reads the roster from the HR system now, instead of at the nightly time. */
function SyncNow({ integration: { id } }: Props) {
  const { t } = useReader(texts);
  const connection = useConnection(id).data;
  const request = useRequestPull(id);
  if (connection === undefined || connection.provider === null) return null;
  const isBusy = connection.pull !== null && isPulling(connection.pull) && connection.pull.kind !== 'preview';
  return (
    <Action
      icon={IconRefresh}
      onClick={() => request.mutate({ kind: 'manual' }, { onSuccess: () => notifyDone(t('syncStarted')) })}
      loading={request.isPending}
      disabled={isBusy}
      label={t('syncNow')}
    />
  );
}

function RenameModal({ integration: { id, name }, opened, onClose }: Props & DialogState) {
  const { t } = useReader(texts);
  const rename = (newName: string) => post<HrIntegration, RenameBody>(at`/integrations/${id}/name`, { name: newName });
  return (
    <Dialog opened={opened} onClose={onClose} title={t('rename')}>
      <NameForm
        label={t('name')}
        submitLabel={t('rename')}
        current={name}
        change={useChange(rename, touched)}
        onDone={onClose}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function DeleteModal({ integration: { id, name }, ...modal }: Props & DialogState) {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  const [remaining, setRemaining] = useState<DeletionBody['remaining']>('keep');
  const path = at`/integrations/${id}/deletion`;
  const preview = useGet<DeletionPreview>(['integrations', id, 'deletion'], path, {
    enabled: modal.opened,
    staleTime: 0,
  });
  const { linked = 0, last = 0 } = preview.data ?? {};
  const isOffboarding = remaining === 'offboard' && last > 0;
  return (
    <ConfirmChange
      {...modal}
      change={usePost<void, DeletionBody>(path, touchedBySync)}
      input={{ remaining, confirm: last }}
      done={t('deleted', { name })}
      onDone={() => void navigate('/integrations')}
      onFailed={() => void preview.refetch()}
      title={t('deleteTitle', { name })}
      confirmLabel={t('delete')}
      danger
      {...(isOffboarding ? { typed: String(last) } : {})}
      disabled={preview.data === undefined}
      error={preview.error}
    >
      <Stack gap="sm">
        <EffectsLine effects={preview.data?.effects[remaining]} />
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
        {isOffboarding && <Notice color="red" text={t('deleteWarning', { count: last })} />}
      </Stack>
    </ConfirmChange>
  );
}

/** Renders the button for what users do here, and a menu with everything else. */
export function Actions({ integration }: Props) {
  const { t } = useReader(texts);
  const mayChange = useAbility('integrations');
  const mayDelete = useAbility('integration-deletion');
  const mayUpload = useAbility('syncs');
  const { show, dialog } = useDialog();
  const { status, type } = integration;
  const open = (Modal: typeof RenameModal) => show((modal) => <Modal integration={integration} {...modal} />);
  const turn = (target: SwitchProps['target']) =>
    show((modal) => <SwitchModal integration={integration} target={target} {...modal} />);
  const pulls = type === 'hr-integration';
  // A locked integration can be switched either way, except one that lacks a key: a new key activates it.
  const canEnable = status !== 'active' && !(status === 'invalid' && !pulls);
  return (
    <>
      {dialog}
      {mayUpload && acceptsUpload(integration) && (
        <Action
          to={`/integrations/${integration.id}/upload`}
          icon={IconUpload}
          {...(pulls ? { variant: 'default' } : {})}
          label={t('upload')}
        />
      )}
      {mayUpload && pulls && integration.canTriggerSync && <SyncNow integration={integration} />}
      {mayChange && status === 'inactive' && <Action onClick={() => turn('active')} label={t('enable')} />}
      {mayChange && (
        <ActionMenu label={t('moreActions')} variant="default" size={36}>
          <MenuAction icon={IconPencil} onClick={() => open(RenameModal)} label={t('rename')} />
          {status === 'invalid' && canEnable && (
            <MenuAction icon={IconPlayerPlay} onClick={() => turn('active')} label={t('enable')} />
          )}
          {status !== 'inactive' && (
            <MenuAction icon={IconPlayerPause} onClick={() => turn('inactive')} label={t('disable')} />
          )}
          {mayDelete && (
            <MenuAction icon={IconTrash} onClick={() => open(DeleteModal)} label={t('delete')} isDangerous />
          )}
        </ActionMenu>
      )}
    </>
  );
}
