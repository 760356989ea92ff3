import { Alert, Anchor, Badge, Box, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type {
  ConfirmFactorBody,
  NewSecondFactor,
  Passkey,
  RecoveryCodes,
} from '../../../../../src/features/accounts/contract.ts';
import { useMe } from '../../../app/api/me.ts';
import { usePost } from '../../../app/api/queries.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, Notice, SmallAction } from '../../../ui/Action.tsx';
import { CopyIcon, Secret } from '../../../ui/copy.tsx';
import { ConfirmModal } from '../../../ui/Dialog.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { Section } from '../../../ui/layout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Hint, Small, TimeText } from '../../../ui/text.tsx';
import { useSecondFactor } from '../api.ts';
import { NoPasskeyError, supportsPasskeys } from '../authenticator.ts';
import { useAddPasskey, usePasskeys, useRemovePasskey } from '../passkeys.ts';
import { texts } from './texts.ts';

const QrCode = lazy(async () => ({ default: (await import('./QrCode.tsx')).QrCode }));

const touched = ['second-factor', 'me', 'activity'];

function Enrolment({ secret, uri, onCodes }: { secret: string; uri: string; onCodes(codes: string[]): void }) {
  const { t } = useReader(texts);
  const form = useChangeForm({
    initial: { code: '' },
    change: usePost<RecoveryCodes, ConfirmFactorBody>('/auth/second-factor/confirm', touched),
    input: ({ code }) => ({ code: code.trim() }),
    atFields: { 'wrong-code': { code: t('factorWrong') } },
    onDone: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  return (
    <Form of={form} submitLabel={t('confirm')}>
      <Text>
        {t('factorSteps')}{' '}
        <Anchor inherit href={uri} underline="always">
          {t('openApp')}
        </Anchor>
      </Text>
      <Box mih={208}>
        <Suspense>
          <QrCode value={uri} label={t('factorQr')} />
        </Suspense>
      </Box>
      <Secret label={t('factorSecret')} value={secret} />
      <TextInput {...form.field('code', t('factorCode'))} inputMode="numeric" autoComplete="one-time-code" required />
    </Form>
  );
}

/** Adds, renews and removes the authenticator app of the user. */
export function SecondFactor() {
  const { t } = useReader(texts);
  const { data, error } = useSecondFactor();
  const add = usePost<NewSecondFactor, undefined>('/auth/second-factor', []);
  const renew = usePost<RecoveryCodes, undefined>('/auth/second-factor/recovery-codes', touched);
  const remove = usePost<void, undefined>('/auth/second-factor/remove', touched);
  const [codes, setCodes] = useState<readonly string[]>();
  const isEnrolling = add.data !== undefined && data?.isEnabled === false;
  return (
    <Section title={t('factorTitle')}>
      <Stack>
        <ProblemAlert error={error ?? add.error ?? renew.error ?? remove.error} />
        {codes && (
          <Alert color="yellow" role="status" title={t('recoveryTitle')}>
            <Stack gap="xs">
              <Text>{t('recoveryHint')}</Text>
              <Group align="flex-start" gap="xs" wrap="nowrap">
                <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={4} verticalSpacing={4}>
                  {codes.map((code) => (
                    <Code key={code}>{code}</Code>
                  ))}
                </SimpleGrid>
                <CopyIcon value={codes.join('\n')} />
              </Group>
            </Stack>
          </Alert>
        )}
        {isEnrolling && <Enrolment {...add.data} onCodes={setCodes} />}
        {data && !isEnrolling && (
          <Text>{data.isEnabled ? t('factorOn', { count: data.recoveryCodes }) : t('factorOff')}</Text>
        )}
        {data && !isEnrolling && (
          <Group gap="xs">
            {data.isEnabled ? (
              <>
                <Action
                  variant="default"
                  loading={renew.isPending}
                  onClick={() => renew.mutate(undefined, { onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes) })}
                  label={t('factorRenew')}
                />
                <Action
                  variant="default"
                  loading={remove.isPending}
                  onClick={() => remove.mutate(undefined, { onSuccess: () => setCodes(undefined) })}
                  label={t('remove')}
                />
              </>
            ) : (
              <Action loading={add.isPending} onClick={() => add.mutate(undefined)} label={t('factorAdd')} />
            )}
          </Group>
        )}
      </Stack>
    </Section>
  );
}

interface ItemProps {
  name: string;
  badge: string | false;
  hint: ReactNode;
  action: ReactNode;
}

/** Renders a line of a list with a button at its end. */
export const Item = ({ name, badge, hint, action }: ItemProps) => (
  <Group justify="space-between" gap="xs" component="li" wrap="nowrap" align="flex-start">
    <div>
      <Group gap={6}>
        <Text fw={600} className="breakable">
          {name}
        </Text>
        {badge && (
          <Badge size="sm" color="teal">
            {badge}
          </Badge>
        )}
      </Group>
      {hint}
    </div>
    {action}
  </Group>
);

function NewPasskey() {
  const { t } = useReader(texts);
  const add = useAddPasskey();
  const [opened, { open, close }] = useDisclosure(false);
  const leave = () => {
    add.reset();
    form.reset();
    close();
  };
  const form = useChangeForm({
    initial: { name: '' },
    change: add,
    input: ({ name }) => name.trim(),
    onDone: leave,
  });
  if (!opened) {
    return <Action style={{ alignSelf: 'flex-start' }} onClick={open} label={t('passkeyAdd')} />;
  }
  const isCancelled = add.error instanceof NoPasskeyError;
  const cancel = <Action variant="default" onClick={leave} label={t('cancel')} />;
  return (
    <Form
      of={{ ...form, problem: isCancelled ? null : form.problem }}
      submitLabel={t('passkeyContinue')}
      beside={cancel}
    >
      {isCancelled && <Notice color="red" role="alert" text={t('passkeyCancelled')} />}
      <TextInput
        {...form.field('name', t('passkeyName'))}
        description={t('passkeyNameHint')}
        name="passkey-name"
        required
        autoFocus
        autoComplete="off"
        maxLength={100}
      />
    </Form>
  );
}

/** Lists, adds and removes the passkeys of the user. */
export function Passkeys() {
  const { t } = useReader(texts);
  const { data, error, refetch } = usePasskeys();
  const remove = useRemovePasskey();
  const hasApp = useMe().data?.user.secondFactors.includes('app');
  const [leaving, setLeaving] = useState<Passkey>();
  const choose = (passkey: Passkey) => {
    remove.reset();
    setLeaving(passkey);
  };
  const used = ({ lastUsedAt }: Passkey) =>
    lastUsedAt === null ? t('passkeyUnused') : [`${t('lastUsed')} `, <TimeText key="at" at={lastUsedAt} isRealTime />];
  const obstacle = data?.isFull ? t('passkeyLimit') : !supportsPasskeys() && t('passkeyUnsupported');
  return (
    <Section title={t('passkeysTitle')}>
      <Stack>
        <ProblemAlert error={error} onRetry={() => void refetch()} />
        <Text>{t('passkeysHint')}</Text>
        {data && data.passkeys.length > 0 && (
          <Stack component="ul" gap="md" className="plain-list">
            {data.passkeys.map((passkey) => (
              <Item
                key={passkey.id}
                name={passkey.name}
                badge={passkey.isSynced && t('passkeySynced')}
                hint={<Small>{used(passkey)}</Small>}
                action={
                  <SmallAction
                    flex="none"
                    aria-label={t('passkeyRemoveOf', { name: passkey.name })}
                    onClick={() => choose(passkey)}
                    label={t('remove')}
                  />
                }
              />
            ))}
          </Stack>
        )}
        {data?.passkeys.length === 1 && hasApp === false && <Hint>{t('passkeySpare')}</Hint>}
        {data && (obstacle ? <Text>{obstacle}</Text> : <NewPasskey />)}
      </Stack>
      <ConfirmModal
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onConfirm={() => leaving && remove.mutate(leaving.id, { onSuccess: () => setLeaving(undefined) })}
        title={t('passkeyRemoveOf', { name: leaving?.name ?? '' })}
        confirmLabel={t('remove')}
        danger
        pending={remove.isPending}
        error={remove.error}
      >
        {t('passkeyRemoveText')}
      </ConfirmModal>
    </Section>
  );
}
