import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Role } from '../../../../../src/domain/enums.ts';
import { useMe } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { ConfirmModal } from '../../../ui/ConfirmModal.tsx';
import { useConfirmedChange } from '../../../ui/confirmed-change.ts';
import { useEndSessions, useResetSecondFactor, useSetRoles } from './api.ts';
import { RolesChoice } from './RolesChoice.tsx';
import { texts } from './texts.ts';
import type { User } from './user.ts';

export interface UserModalProps {
  user: User;
  opened: boolean;
  onClose(): void;
}

export function useRefusals() {
  const t = useTexts(texts);
  return { 'last-admin': t('lastAdmin'), 'not-found': t('goneMeanwhile') };
}

export function RolesModal({ user, opened, onClose }: UserModalProps) {
  const t = useTexts(texts);
  const words = useWords();
  const refusals = useRefusals();
  const { modalProps, execute } = useConfirmedChange(useSetRoles(), onClose);
  const isOwn = useMe().data?.user.id === user.id;
  const [roles, choose] = useState<Role[]>(user.roles);
  const { name } = user;
  const names = roles.map((role) => words.role[role]).join(', ');
  return (
    <ConfirmModal
      {...modalProps}
      opened={opened}
      onConfirm={() => execute({ id: user.id, roles }, t('rolesDone', { name, roles: names }))}
      title={t('rolesTitle', { name })}
      confirmLabel={t('rolesSubmit')}
      disabled={roles.length === 0 || roles.join() === user.roles.join()}
      inWords={refusals}
    >
      <Stack>
        <RolesChoice roles={roles} onChange={choose} />
        {isOwn && user.roles.includes('admin') && !roles.includes('admin') && (
          <Text size="sm" fw={600} role="status">
            {t('rolesOwn')}
          </Text>
        )}
      </Stack>
    </ConfirmModal>
  );
}

export function EndSessionsModal({ user, opened, onClose }: UserModalProps) {
  const t = useTexts(texts);
  const refusals = useRefusals();
  const { modalProps, execute } = useConfirmedChange(useEndSessions(), onClose);
  const isOwn = useMe().data?.user.id === user.id;
  const { name, email } = user;
  return (
    <ConfirmModal
      {...modalProps}
      opened={opened}
      onConfirm={() => execute(user.id, t('sessionsEnded', { name }))}
      title={t('endSessionsTitle', { name })}
      confirmLabel={t('endSessionsSubmit')}
      inWords={refusals}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {isOwn ? t('endSessionsOwn') : t('endSessionsText', { email })}
      </Text>
    </ConfirmModal>
  );
}

export function ResetFactorModal({ user, opened, onClose }: UserModalProps) {
  const t = useTexts(texts);
  const refusals = useRefusals();
  const { modalProps, execute } = useConfirmedChange(useResetSecondFactor(), onClose);
  const { name, email } = user;
  return (
    <ConfirmModal
      {...modalProps}
      opened={opened}
      onConfirm={() => execute(user.id, t('factorReset', { name }))}
      title={t('resetFactorTitle', { name })}
      confirmLabel={t('resetFactorSubmit')}
      inWords={refusals}
      danger
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t('resetFactorText', { email })}
      </Text>
    </ConfirmModal>
  );
}
