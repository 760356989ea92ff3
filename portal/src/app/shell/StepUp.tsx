import { PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useConfirmIdentity, useSignOut } from '../../features/accounts/api.ts';
import { NoPasskeyError } from '../../features/accounts/authenticator.ts';
import { useConfirmWithPasskey } from '../../features/accounts/passkeys.ts';
import { Action, Notice } from '../../ui/Action.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form, useChangeForm } from '../../ui/Form.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { useShown } from '../../ui/shown-problems.ts';
import { useMe } from '../api/me.ts';
import { useReader } from '../i18n/reader.ts';
import { signInAddress } from '../sign-in-address.ts';
import { stepUp } from './store.ts';

function Credential({ isCode, onDone }: { isCode: boolean; onDone(): void }) {
  const { t } = useReader();
  const form = useChangeForm({
    initial: { credential: '' },
    change: useConfirmIdentity(),
    input: ({ credential }) => credential.trim(),
    atFields: {
      'wrong-code': { credential: t('wrongCode') },
      'wrong-password': { credential: t('wrongPassword') },
    },
    onDone,
  });
  const field = { ...form.getInputProps('credential'), required: true, 'data-autofocus': true };
  return (
    <Form of={form} submitLabel={t('confirm')} isWide>
      {isCode ? (
        <TextInput {...field} label={t('code')} autoComplete="one-time-code" />
      ) : (
        <PasswordInput {...field} label={t('password')} autoComplete="current-password" />
      )}
    </Form>
  );
}

function Passkey({ onDone }: { onDone(): void }) {
  const { t } = useReader();
  const confirm = useConfirmWithPasskey();
  useShown(confirm.error);
  return (
    <>
      {confirm.error instanceof NoPasskeyError ? (
        <Notice color="red" role="alert" text={t('noPasskey')} />
      ) : (
        <ProblemAlert error={confirm.error} />
      )}
      <Action
        loading={confirm.isPending}
        onClick={() => confirm.mutate(undefined, { onSuccess: onDone })}
        data-autofocus
        label={t('passkey')}
      />
    </>
  );
}

/** Users of single sign-on prove who they are at their identity provider. */
function SignInAgain() {
  const { t } = useReader();
  const signOut = useSignOut();
  const { pathname, search } = window.location;
  const leave = () => window.location.assign(signInAddress(pathname + search));
  return (
    <>
      <Text>{t('stepUpBySso')}</Text>
      <ProblemAlert error={signOut.error} />
      <Action
        loading={signOut.isPending}
        onClick={() => signOut.mutate({ everywhere: false }, { onSuccess: leave })}
        data-autofocus
        label={t('signInAgain')}
      />
    </>
  );
}

function Question({ onDone }: { onDone(isConfirmed: boolean): void }) {
  const { t } = useReader();
  const user = useMe().data?.user;
  const factors = user?.secondFactors ?? [];
  const isManaged = user?.signedInBy === 'single-sign-on';
  const confirm = () => onDone(true);
  return (
    <Stack>
      {isManaged ? (
        <SignInAgain />
      ) : (
        <>
          <Text>{t('stepUpHint')}</Text>
          {factors.includes('passkey') && <Passkey onDone={confirm} />}
          {(factors.length === 0 || factors.includes('app')) && (
            <Credential isCode={factors.includes('app')} onDone={confirm} />
          )}
        </>
      )}
      <Action variant="default" onClick={() => onDone(false)} label={t('cancel')} />
    </Stack>
  );
}

/** Lets the user prove who they are when an operation requires it. The operation then continues. */
export function StepUp() {
  const { t } = useReader();
  const waiting = stepUp.use();
  return (
    <Dialog opened={waiting !== undefined} onClose={() => waiting?.finish(false)} title={t('stepUpTitle')}>
      {waiting && <Question onDone={(isConfirmed) => waiting.finish(isConfirmed)} />}
    </Dialog>
  );
}
