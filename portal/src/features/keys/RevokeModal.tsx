import { Code, Stack, Text } from '@mantine/core';
import type { ApiKey } from '../../../../src/features/keys/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { ConfirmModal } from '../../ui/ConfirmModal.tsx';
import { useConfirmedChange } from '../../ui/confirmed-change.ts';
import { useRevokeKey } from './api.ts';
import { texts } from './texts.ts';

export function RevokeModal({ apiKey, opened, onClose }: { apiKey: ApiKey; opened: boolean; onClose(): void }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { modalProps, execute } = useConfirmedChange(useRevokeKey(), onClose);
  const { name, username, lastUsedAt } = apiKey;
  return (
    <ConfirmModal
      {...modalProps}
      opened={opened}
      onConfirm={() => execute(username, t('revoked', { name }))}
      title={t('revokeTitle', { name })}
      confirmLabel={t('revokeSubmit')}
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
