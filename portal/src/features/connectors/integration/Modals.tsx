import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { DeletionBody, DeletionPreview } from '../../../../../src/features/connectors/contract.ts';
import type {
  HrIntegration,
  IntegrationStatusBody,
  RenameBody,
} from '../../../../../src/features/integrations/contract.ts';
import { useChange, useGet, usePost } from '../../../app/api/queries.ts';
import { at, post } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Notice } from '../../../ui/Action.tsx';
import { ConfirmChange, Dialog, type DialogState } from '../../../ui/Dialog.tsx';
import { EffectsLine } from '../../../ui/effects/EffectsLine.tsx';
import { NameForm } from '../../../ui/fields.tsx';
import { touched, touchedBySync } from '../api.ts';
import { texts } from './texts.ts';

interface Props extends DialogState {
  integration: HrIntegration;
}

interface SwitchProps extends Props {
  target: 'active' | 'inactive';
}

export function SwitchModal({ integration: { id, name }, target, ...modal }: SwitchProps) {
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

export function RenameModal({ integration: { id, name }, opened, onClose }: Props) {
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

export function DeleteModal({ integration: { id, name }, ...modal }: Props) {
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
