import { Checkbox, Code, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { UserKey, UserWebhook } from '../../../../../src/features/accounts/users/contract.ts';
import { useMe } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ConfirmModal } from '../../../ui/ConfirmModal.tsx';
import { useConfirmedChange } from '../../../ui/confirmed-change.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { useRemoveUser, useUserKeys, useUserWebhooks } from './api.ts';
import { texts } from './texts.ts';
import { type UserModalProps, useRefusals } from './UserModals.tsx';

/** The keys that the admin ticked or cleared. Every other key is revoked if only the removed user knows it. */
type Choices = Readonly<Record<string, boolean>>;

interface ChoiceProps {
  keys: readonly UserKey[];
  revoked: readonly string[];
  onChange(revoked: readonly string[]): void;
}

function KeyChoice({ keys, revoked, onChange }: ChoiceProps) {
  const t = useTexts(texts);
  return (
    <Checkbox.Group label={t('keysTitle')} description={t('keysHint')} value={[...revoked]} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {keys.map((key) => (
          <Checkbox
            key={key.username}
            value={key.username}
            label={key.name}
            description={
              <>
                <Code fz="xs">{key.username}</Code> {t(key.isOnlyTheirs ? 'keyOnlyTheirs' : 'keyShared')}
              </>
            }
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

interface WebhookChoiceProps {
  webhooks: readonly UserWebhook[];
  disabled: readonly string[];
  onChange(disabled: readonly string[]): void;
}

function WebhookChoice({ webhooks, disabled, onChange }: WebhookChoiceProps) {
  const t = useTexts(texts);
  return (
    <Checkbox.Group
      label={t('webhooksTitle')}
      description={t('webhooksHint')}
      value={[...disabled]}
      onChange={onChange}
    >
      <Stack gap="xs" mt="xs">
        {webhooks.map(({ id, host, description }) => (
          <Checkbox
            key={id}
            value={String(id)}
            label={description || host}
            description={description ? host : undefined}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** Asks for confirmation before a user is removed, which of their API keys to revoke, and which webhooks to disable. */
export function RemoveModal({ user, opened, onClose }: UserModalProps) {
  const t = useTexts(texts);
  const refusals = useRefusals();
  const { modalProps, execute } = useConfirmedChange(useRemoveUser(), onClose);
  const keys = useUserKeys(user.id, opened);
  const webhooks = useUserWebhooks(user.id, opened);
  const enabled = webhooks.data?.filter(({ state }) => state === 'enabled') ?? [];
  const [disabled, setDisabled] = useState<readonly string[]>([]);
  const [choices, setChoices] = useState<Choices>({});
  const isOwn = useMe().data?.user.id === user.id;
  const { id, name, email } = user;
  const isRevoked = (key: UserKey) => choices[key.username] ?? key.isOnlyTheirs;
  const namesOf = (revoked: boolean) =>
    (keys.data ?? []).filter((key) => isRevoked(key) === revoked).map(({ username }) => username);
  return (
    <ConfirmModal
      {...modalProps}
      opened={opened}
      onConfirm={() =>
        execute(
          { id, revokeKeys: namesOf(true), keepKeys: namesOf(false), disableWebhooks: disabled.map(Number) },
          t('removed', { name }),
        )
      }
      title={t('removeTitle', { name })}
      confirmLabel={t('removeSubmit')}
      disabled={keys.data === undefined || webhooks.data === undefined}
      inWords={refusals}
      danger
    >
      <Stack gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('removeText', { email })}
        </Text>
        {isOwn && (
          <Text size="sm" fw={600}>
            {t('removeOwn')}
          </Text>
        )}
        <ProblemAlert error={keys.error} onRetry={() => void keys.refetch()} />
        <ProblemAlert error={webhooks.error} onRetry={() => void webhooks.refetch()} />
        {keys.data === undefined && !keys.error && <Skeleton height={48} radius="md" />}
        {keys.data && keys.data.length > 0 && (
          <KeyChoice
            keys={keys.data}
            revoked={namesOf(true)}
            onChange={(revoked) =>
              setChoices(Object.fromEntries(keys.data.map(({ username }) => [username, revoked.includes(username)])))
            }
          />
        )}
        {enabled.length > 0 && <WebhookChoice webhooks={enabled} disabled={disabled} onChange={setDisabled} />}
      </Stack>
    </ConfirmModal>
  );
}
