import { Alert, Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Permission } from '../../../../src/domain/enums.ts';
import type { NewSecret } from '../../../../src/features/keys/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useCommonTexts } from '../../app/i18n/common.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { Secret } from '../../ui/Secret.tsx';
import { firstCallOf } from './permission-sets.ts';
import { texts } from './texts.ts';

export interface CreatedSecret extends NewSecret {
  permissions: readonly Permission[];
}

function SecretView({ secret, onDone }: { secret: CreatedSecret; onDone(): void }) {
  const t = useTexts(texts);
  const apiUrl = useMe().data?.apiUrl ?? '';
  const { username, password, permissions } = secret;
  const curl = `curl -u '${username}:${password}' \\\n  '${apiUrl}${firstCallOf(permissions)}'`;
  return (
    <Stack>
      {/* The element that had the focus was removed with the form. */}
      <div tabIndex={-1} ref={(element) => element?.focus()} style={{ outline: 'none' }}>
        <Text size="sm">{t('createdHint')}</Text>
      </div>
      {secret.requestedPermissions && (
        <Alert color="yellow" role="note">
          {t('worksAfterApproval')}
        </Alert>
      )}
      <Secret label={t('username')} value={username} />
      <Secret label={t('password')} value={password} once />
      <div>
        <Title order={3}>{t('tryIt')}</Title>
        <Text size="sm" c="dimmed" mb="xs">
          {t('tryHint')}
        </Text>
        <CodeBlock label={t('tryIt')} code={curl} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}

interface Props {
  opened: boolean;
  onClose(): void;
  title: string;
  /** Renders the form, which passes the new secret to `onCreated`. */
  children(onCreated: (secret: CreatedSecret) => void): ReactNode;
}

/**
 * Renders a form whose response is shown once. While it is shown, neither a stray click nor the Escape key closes the
 * modal.
 */
export function SecretModal({ opened, onClose, title, children }: Props) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const [secret, setSecret] = useState<CreatedSecret>();
  const isCreated = secret !== undefined;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setSecret(undefined)}
      title={isCreated ? t('createdTitle') : title}
      size="lg"
      closeOnClickOutside={!isCreated}
      closeOnEscape={!isCreated}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {isCreated ? <SecretView secret={secret} onDone={onClose} /> : children(setSecret)}
    </Modal>
  );
}
