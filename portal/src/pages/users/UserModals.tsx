import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../api/me.ts';
import { useEndSessions, useSetRole } from '../../api/users.ts';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { useConfirmedChange } from '../../components/confirmed-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useWords } from '../../i18n/words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { RoleChoice } from './RoleChoice.tsx';
import type { User } from './user.ts';

export interface UserModalProps {
  user: User;
  opened: boolean;
  onClose(): void;
}

export function useRefusals() {
  const t = useTexts({ en, de });
  return { 'last-admin': t('lastAdmin'), 'not-found': t('goneMeanwhile') };
}

export function RoleModal({ user, opened, onClose }: UserModalProps) {
  const t = useTexts({ en, de });
  const words = useWords();
  const refusals = useRefusals();
  const { modalProps, execute } = useConfirmedChange(useSetRole(), onClose);
  const isOwn = useMe().data?.user.id === user.id;
  const [role, choose] = useState(user.role);
  const { name } = user;
  return (
    <ConfirmModal
      {...modalProps}
      opened={opened}
      onConfirm={() => execute({ id: user.id, role }, t('roleDone', { name, role: words.role[role] }))}
      title={t('roleTitle', { name })}
      confirmLabel={t('roleSubmit')}
      disabled={role === user.role}
      inWords={refusals}
    >
      <Stack>
        <RoleChoice role={role} onChange={choose} />
        {isOwn && role !== user.role && (
          <Text size="sm" fw={600} role="status">
            {t('roleOwn')}
          </Text>
        )}
      </Stack>
    </ConfirmModal>
  );
}

export function EndSessionsModal({ user, opened, onClose }: UserModalProps) {
  const t = useTexts({ en, de });
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
