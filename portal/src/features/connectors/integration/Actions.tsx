import { Radio, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRefresh, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { DeletionBody, HrIntegration } from '../../../../../src/features/integrations/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, Notice } from '../../../ui/Action.tsx';
import { ConfirmChange, Dialog } from '../../../ui/Dialog.tsx';
import { NameForm } from '../../../ui/fields.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import {
  acceptsUpload,
  isPulling,
  useConnection,
  useDeleteIntegration,
  useDeletionPreview,
  useRenameIntegration,
  useRequestPull,
  useSetIntegrationStatus,
} from '../api.ts';
import { texts } from './texts.ts';

type Target = 'active' | 'inactive';

interface Props {
  integration: HrIntegration;
}

/**
 * Activates or deactivates an integration after confirmation. A locked integration can be switched either way, except
 * one that lacks a key: a new key activates it.
 */
function Switch({ integration: { id, name, status, type } }: Props) {
  const { t } = useReader(texts);
  const [target, setTarget] = useState<Target>('inactive');
  const [opened, { open, close }] = useDisclosure(false);
  const isOff = target === 'inactive';
  const button = (to: Target) => (
    <Action
      variant="default"
      onClick={() => {
        setTarget(to);
        open();
      }}
      label={t(to === 'inactive' ? 'disable' : 'enable')}
    />
  );
  return (
    <>
      {status !== 'inactive' && button('inactive')}
      {status !== 'active' && !(status === 'invalid' && type === 'api-integration') && button('active')}
      <ConfirmChange
        opened={opened}
        onClose={close}
        change={useSetIntegrationStatus(id)}
        input={{ status: target }}
        done={t(isOff ? 'disabled' : 'enabled', { name })}
        title={t(isOff ? 'disableTitle' : 'enableTitle', { name })}
        confirmLabel={t(isOff ? 'disable' : 'enable')}
        danger={isOff}
      >
        {t(isOff ? 'disableText' : 'enableText')}
      </ConfirmChange>
    </>
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

function RenameModal({ integration: { id, name }, onClose }: Props & { onClose(): void }) {
  const { t } = useReader(texts);
  return (
    <Dialog opened onClose={onClose} title={t('rename')}>
      <NameForm
        label={t('name')}
        submitLabel={t('rename')}
        current={name}
        change={useRenameIntegration(id)}
        onDone={onClose}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function DeleteModal({ integration: { id, name }, onClose }: Props & { onClose(): void }) {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  const [remaining, setRemaining] = useState<DeletionBody['remaining']>('keep');
  const preview = useDeletionPreview(id, true);
  const { linked = 0, last = 0 } = preview.data ?? {};
  const isOffboarding = remaining === 'offboard' && last > 0;
  return (
    <ConfirmChange
      onClose={onClose}
      change={useDeleteIntegration(id)}
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

export function Actions({ integration }: Props) {
  const { t } = useReader(texts);
  const mayChange = useAbility('integrations');
  const mayDelete = useAbility('integration-deletion');
  const mayUpload = useAbility('syncs');
  const [opened, setOpened] = useState<'rename' | 'delete'>();
  const close = () => setOpened(undefined);
  const pulls = integration.type === 'hr-integration';
  return (
    <>
      {mayChange && <Action variant="default" onClick={() => setOpened('rename')} label={t('rename')} />}
      {mayDelete && <Action variant="default" onClick={() => setOpened('delete')} label={t('delete')} />}
      {opened === 'rename' && <RenameModal integration={integration} onClose={close} />}
      {opened === 'delete' && <DeleteModal integration={integration} onClose={close} />}
      {mayChange && <Switch integration={integration} />}
      {mayUpload && acceptsUpload(integration) && (
        <Action
          to={`/integrations/${integration.id}/upload`}
          icon={IconUpload}
          {...(pulls ? { variant: 'default' } : {})}
          label={t('upload')}
        />
      )}
      {mayUpload && pulls && integration.canTriggerSync && <SyncNow integration={integration} />}
    </>
  );
}
