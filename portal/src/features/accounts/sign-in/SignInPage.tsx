import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SignInBody } from '../../../../../src/features/accounts/contract.ts';
import type { StartedSso, StartSsoBody } from '../../../../../src/features/accounts/sso/contract.ts';
import type { Me } from '../../../../../src/portal/contract.ts';
import { useGet } from '../../../app/api/queries.ts';
import { ApiProblem, post } from '../../../app/api/request.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { AuthLayout } from '../../../app/shell/AuthLayout.tsx';
import { addressAfterSignIn } from '../../../app/sign-in-address.ts';
import { Problem, useChangeForm } from '../../../ui/change-form.tsx';
import { NoPasskeyError, supportsPasskeys } from '../authenticator.ts';
import { useSignInWithPasskey } from '../passkeys.ts';
import { texts } from './texts.ts';

/** Signs in and clears all cached data, so that the next user at the same screen sees nothing of the previous one. */
function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SignInBody) => post<void, SignInBody>('/auth/sign-in/email', body),
    onSuccess: () => client.clear(),
    meta: { public: true },
  });
}

/** Continues at the identity provider, if the domain of the address has one. */
const useStartSso = () =>
  useMutation({
    mutationFn: (email: string) => post<StartedSso, StartSsoBody>('/auth/sso/start', { email }),
    onSuccess: ({ url }) => url !== null && window.location.assign(url),
    meta: { public: true },
  });

/** Returns whether the visitor of a public page is signed in already. */
const useIsSignedIn = () => useGet<Me>(['visitor'], '/me', { retry: false, meta: { public: true } }).isSuccess;

/** Renders a failed sign-in. The common refusals have their own texts. */
function Refusal({ error }: { error: Error | null }) {
  const t = useTexts(texts);
  const { status, code, retryAfter } = error instanceof ApiProblem ? error : {};
  if (error === null || code === 'code-required') return null;
  const alert = (text: string, isHint = false) => (
    <Alert color={isHint ? 'teal' : 'red'} role={isHint ? 'status' : 'alert'}>
      {text}
    </Alert>
  );
  if (code === 'passkey-required') return alert(t('passkeyNeeded'), true);
  if (error instanceof NoPasskeyError) return alert(t('passkeyNone'));
  if (code === 'wrong-code') return alert(t('wrongCode'));
  if (status === 401) return alert(t('wrong'));
  return status === 429 ? alert(t('tooMany', { count: retryAfter ?? 60 })) : <Problem error={error} />;
}

/** Leaves for the page that the visitor wanted to see. It belongs to the portal, so that the browser loads it. */
function leave(): void {
  const next = new URLSearchParams(window.location.search).get('next');
  window.location.replace(addressAfterSignIn(next));
}

export function SignInPage() {
  const t = useTexts(texts);
  const signIn = useSignIn();
  const sso = useStartSso();
  const withPasskey = useSignInWithPasskey();
  const [isCodeAsked, setCodeAsked] = useState(false);
  /** What is missing, if the password was right. */
  const problem = signIn.error instanceof ApiProblem ? signIn.error.code : undefined;
  const isPasskeyMissing = problem === 'passkey-required';
  const isPasswordRight = isPasskeyMissing || problem === 'code-required' || problem === 'wrong-code';
  if (problem === 'code-required' && !isCodeAsked) setCodeAsked(true);
  const isSignedIn = useIsSignedIn();
  useEffect(() => {
    if (isSignedIn) leave();
  }, [isSignedIn]);
  const form = useChangeForm({
    initial: { email: '', password: '', code: '' },
    change: signIn,
    input: ({ email, password, code }) => {
      withPasskey.reset();
      return { email, password, ...(isCodeAsked ? { code: code.trim() } : {}) };
    },
    onDone: leave,
  });
  const { email, password } = form.values;
  const usePasskey = () => {
    const login = isPasswordRight ? { email, password } : undefined;
    signIn.reset();
    withPasskey.mutate(login, { onSuccess: leave });
  };
  return (
    <AuthLayout title={t('title')} hint={t('hint')}>
      <form onSubmit={form.submit} noValidate>
        <Stack>
          <Refusal error={signIn.error ?? withPasskey.error} />
          <TextInput {...form.field('email', t('email'))} type="email" autoComplete="username" required autoFocus />
          <PasswordInput {...form.field('password', t('password'))} autoComplete="current-password" required />
          {isCodeAsked && (
            <TextInput
              {...form.field('code', t('code'))}
              autoComplete="one-time-code"
              required
              autoFocus
              minLength={6}
              maxLength={40}
            />
          )}
          <Button type="submit" variant={isPasskeyMissing ? 'default' : 'filled'} loading={signIn.isPending} fullWidth>
            {t('submit')}
          </Button>
          <Anchor href="/new-password">{t('forgot')}</Anchor>
          {supportsPasskeys() && (
            <Button
              variant={isPasskeyMissing ? 'filled' : 'default'}
              fullWidth
              loading={withPasskey.isPending}
              onClick={usePasskey}
            >
              {t('passkey')}
            </Button>
          )}
          <Button
            variant="default"
            fullWidth
            loading={sso.isPending}
            disabled={!email.includes('@')}
            onClick={() => sso.mutate(email)}
          >
            {t('sso')}
          </Button>
          {sso.data?.url === null && (
            <Alert color="orange" role="status">
              {t('ssoNone')}
            </Alert>
          )}
          <Problem error={sso.error} />
          <Text size="xs" c="dimmed">
            {t('invite')}{' '}
            <Anchor inherit href="/docs/reference" underline="always">
              {t('docs')}
            </Anchor>
          </Text>
        </Stack>
      </form>
    </AuthLayout>
  );
}
