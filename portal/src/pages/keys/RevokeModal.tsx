import { Code, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ApiKey } from '../../../../src/portal/contract.ts';
import { useRevokeKey } from '../../api/keys.ts';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

export function RevokeModal({ apiKey, opened, onClose }: { apiKey: ApiKey; opened: boolean; onClose(): void }) {
  const t = useTexts({ en, de });
  const formats = useFormats();
  const revoke = useRevokeKey();
  const { name, username, lastUsedAt } = apiKey;
  const close = () => {
    revoke.reset();
    onClose();
  };
  const confirm = () =>
    revoke.mutate(username, {
      onSuccess: () => {
        notifications.show({ color: 'teal', message: t('revoked', { name }) });
        close();
      },
    });
  return (
    <ConfirmModal
      opened={opened}
      onClose={close}
      onConfirm={confirm}
      title={t('revokeTitle', { name })}
      confirmLabel={t('revokeSubmit')}
      pending={revoke.isPending}
      error={revoke.error}
      inWords={{ 'not-found': t('gone') }}
      danger
    >
      <Stack gap="xs">
        <Code w="fit-content">{username}</Code>
        <Text size="sm">{t('revokeText', { username })}</Text>
        <Text size="sm" fw={600}>
          {lastUsedAt === null ? t('revokeUnused') : t('revokeUsed', { time: formats.relative(lastUsedAt, true) })}
        </Text>
      </Stack>
    </ConfirmModal>
  );
}
