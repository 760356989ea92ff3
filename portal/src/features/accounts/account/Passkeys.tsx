import { Alert, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Passkey } from '../../../../../src/features/accounts/contract.ts';
import { useMe } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ConfirmModal } from '../../../ui/ConfirmModal.tsx';
import { TimeText } from '../../../ui/figures.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Section } from '../../../ui/Section.tsx';
import { NoPasskeyError, supportsPasskeys } from '../authenticator.ts';
import { useAddPasskey, usePasskeys, useRemovePasskey } from '../passkeys.ts';
import { texts } from './texts.ts';

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove(): void }) {
  const t = useTexts(texts);
  const { name, isSynced, lastUsedAt } = passkey;
  return (
    <Group justify="space-between" gap="xs" component="li" wrap="nowrap" align="flex-start">
      <div>
        <Group gap={6}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {isSynced && (
            <Badge size="sm" color="teal">
              {t('passkeySynced')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" component="div">
          {lastUsedAt === null ? (
            t('passkeyUnused')
          ) : (
            <>
              {t('lastUsed')} <TimeText at={lastUsedAt} isRealTime />
            </>
          )}
        </Text>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        flex="none"
        aria-label={t('passkeyRemoveOf', { name })}
        onClick={onRemove}
      >
        {t('passkeyRemove')}
      </Button>
    </Group>
  );
}

/** Asks for a name, then lets the browser create the passkey. */
function NewPasskey() {
  const t = useTexts(texts);
  const add = useAddPasskey();
  const [name, setName] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate((name ?? '').trim(), { onSuccess: () => setName(undefined) });
  };
  if (name === undefined) {
    return (
      <Button style={{ alignSelf: 'flex-start' }} onClick={() => setName('')}>
        {t('passkeyAdd')}
      </Button>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {add.error instanceof NoPasskeyError ? (
          <Alert color="red" role="alert">
            {t('passkeyCancelled')}
          </Alert>
        ) : (
          <ProblemAlert error={add.error} />
        )}
        <TextInput
          label={t('passkeyName')}
          description={t('passkeyNameHint')}
          name="passkey-name"
          required
          withAsterisk={false}
          autoFocus
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Button type="submit" loading={add.isPending}>
            {t('passkeyContinue')}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              add.reset();
              setName(undefined);
            }}
          >
            {t('passkeyCancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Lists, adds and removes the passkeys of the user. */
export function Passkeys() {
  const t = useTexts(texts);
  const { data, error, refetch } = usePasskeys();
  const remove = useRemovePasskey();
  const hasApp = useMe().data?.user.secondFactors.includes('app');
  const [leaving, setLeaving] = useState<Passkey>();
  const obstacle = data?.isFull ? t('passkeyLimit') : undefined;
  const reason = obstacle ?? (supportsPasskeys() ? undefined : t('passkeyUnsupported'));
  return (
    <Section title={t('passkeysTitle')}>
      <Stack>
        <ProblemAlert error={error} onRetry={() => void refetch()} />
        <Text size="sm">{t('passkeysHint')}</Text>
        {data && data.passkeys.length > 0 && (
          <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
            {data.passkeys.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                onRemove={() => {
                  remove.reset();
                  setLeaving(passkey);
                }}
              />
            ))}
          </Stack>
        )}
        {data?.passkeys.length === 1 && hasApp === false && (
          <Text size="sm" c="dimmed">
            {t('passkeySpare')}
          </Text>
        )}
        {data && (reason === undefined ? <NewPasskey /> : <Text size="sm">{reason}</Text>)}
      </Stack>
      <ConfirmModal
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onConfirm={() => leaving && remove.mutate(leaving.id, { onSuccess: () => setLeaving(undefined) })}
        title={t('passkeyRemoveOf', { name: leaving?.name ?? '' })}
        confirmLabel={t('passkeyRemove')}
        danger
        pending={remove.isPending}
        error={remove.error}
      >
        {t('passkeyRemoveText')}
      </ConfirmModal>
    </Section>
  );
}
