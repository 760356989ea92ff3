import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useConfirmIdentity, useSignOut } from '../../features/accounts/api.ts';
import { NoPasskeyError } from '../../features/accounts/authenticator.ts';
import { useConfirmWithPasskey } from '../../features/accounts/passkeys.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form, useChangeForm } from '../../ui/Form.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { useMe } from '../api/me.ts';
import { useCommonTexts } from '../i18n/common.ts';
import { signInAddress } from '../sign-in-address.ts';
import { useStepUp } from './step-up.ts';

/** Asks for the password or, from users with an authenticator app, for a code. */
function Credential({ isCode, onDone }: { isCode: boolean; onDone(): void }) {
  const t = useCommonTexts();
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
  const t = useCommonTexts();
  const confirm = useConfirmWithPasskey();
  return (
    <>
      {confirm.error instanceof NoPasskeyError ? (
        <Alert color="red" role="alert">
          {t('noPasskey')}
        </Alert>
      ) : (
        <ProblemAlert error={confirm.error} />
      )}
      <Button
        loading={confirm.isPending}
        onClick={() => confirm.mutate(undefined, { onSuccess: onDone })}
        data-autofocus
      >
        {t('passkey')}
      </Button>
    </>
  );
}

/** Users of single sign-on prove who they are at their identity provider. */
function SignInAgain() {
  const t = useCommonTexts();
  const signOut = useSignOut();
  const { pathname, search } = window.location;
  const leave = () => window.location.assign(signInAddress(pathname + search));
  return (
    <>
      <Text size="sm">{t('stepUpBySso')}</Text>
      <ProblemAlert error={signOut.error} />
      <Button
        loading={signOut.isPending}
        onClick={() => signOut.mutate({ everywhere: false }, { onSuccess: leave })}
        data-autofocus
      >
        {t('signInAgain')}
      </Button>
    </>
  );
}

function Question({ onDone }: { onDone(isConfirmed: boolean): void }) {
  const t = useCommonTexts();
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
          <Text size="sm">{t('stepUpHint')}</Text>
          {factors.includes('passkey') && <Passkey onDone={confirm} />}
          {(factors.length === 0 || factors.includes('app')) && (
            <Credential isCode={factors.includes('app')} onDone={confirm} />
          )}
        </>
      )}
      <Button variant="default" onClick={() => onDone(false)}>
        {t('cancel')}
      </Button>
    </Stack>
  );
}

/** Lets the user prove who they are when an operation requires it. The operation then continues. */
export function StepUp() {
  const t = useCommonTexts();
  const waiting = useStepUp();
  return (
    <Dialog opened={waiting !== undefined} onClose={() => waiting?.finish(false)} title={t('stepUpTitle')}>
      {waiting && <Question onDone={(isConfirmed) => waiting.finish(isConfirmed)} />}
    </Dialog>
  );
}
