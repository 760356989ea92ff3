import { lazy, Suspense } from 'react';
import type { HrIntegration } from '../../../../../src/features/integrations/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, ActionMenu, MenuAction } from '../../../ui/Action.tsx';
import { useDialog } from '../../../ui/Dialog.tsx';
import {
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
  IconUpload,
} from '../../../ui/icons.gen.ts';
import { notifyDone } from '../../../ui/notify.tsx';
import { acceptsUpload, isPulling, useConnection, useRequestPull } from '../api.ts';
import { texts } from './texts.ts';

// Loaded when one is opened.
const load = () => import('./Modals.tsx');
const SwitchModal = lazy(async () => ({ default: (await load()).SwitchModal }));
const RenameModal = lazy(async () => ({ default: (await load()).RenameModal }));
const DeleteModal = lazy(async () => ({ default: (await load()).DeleteModal }));

interface Props {
  integration: HrIntegration;
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

/** Renders the button for what users do here, and a menu with everything else. */
export function Actions({ integration }: Props) {
  const { t } = useReader(texts);
  const mayChange = useAbility('integrations');
  const mayDelete = useAbility('integration-deletion');
  const mayUpload = useAbility('syncs');
  const { show, dialog } = useDialog();
  const { status, type } = integration;
  const open = (Modal: typeof RenameModal | typeof DeleteModal) =>
    show((modal) => <Modal integration={integration} {...modal} />);
  const turn = (target: 'active' | 'inactive') =>
    show((modal) => <SwitchModal integration={integration} target={target} {...modal} />);
  const pulls = type === 'hr-integration';
  // A locked integration can be switched either way, except one that lacks a key: a new key activates it.
  const canEnable = status !== 'active' && !(status === 'invalid' && !pulls);
  return (
    <>
      <Suspense>{dialog}</Suspense>
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
