import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react';
import { ApiProblem } from '../../../app/api/request.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { AuthLayout } from '../../../app/shell/AuthLayout.tsx';
import { addressAfterSignIn } from '../../../app/sign-in-address.ts';
import { useIsSignedIn, useSignIn } from '../api.ts';
import { NoPasskeyError, supportsPasskeys } from '../authenticator.ts';
import { useSignInWithPasskey } from '../passkeys.ts';
import { useStartSso } from '../sso/api.ts';
import { texts } from './texts.ts';

/** Loaded when something unusual happens: its tooltips are a quarter of the script of this page. */
const ProblemAlert = lazy(async () => ({
  default: (await import('../../../ui/ProblemAlert.tsx')).ProblemAlert,
}));

/** Renders a failed sign-in. The two common refusals have their own texts. */
function Refusal({ error }: { error: Error | null }) {
  const t = useTexts(texts);
  const status = error instanceof ApiProblem ? error.status : undefined;
  if (error === null) return null;
  const code = error instanceof ApiProblem ? error.code : undefined;
  if (code === 'code-required') return null;
  if (code === 'passkey-required') {
    return (
      <Alert color="teal" role="status">
        {t('passkeyNeeded')}
      </Alert>
    );
  }
  if (error instanceof NoPasskeyError) {
    return (
      <Alert color="red" role="alert">
        {t('passkeyNone')}
      </Alert>
    );
  }
  if (code === 'wrong-code') {
    return (
      <Alert color="red" role="alert">
        {t('wrongCode')}
      </Alert>
    );
  }
  if (status !== 401 && status !== 429) {
    return (
      <Suspense>
        <ProblemAlert error={error} />
      </Suspense>
    );
  }
  const seconds = (error as ApiProblem).retryAfter ?? 60;
  return (
    <Alert color="red" role="alert">
      {status === 401 ? t('wrong') : t('tooMany', { count: seconds })}
    </Alert>
  );
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
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const withPasskey = useSignInWithPasskey();
  const [code, setCode] = useState<string>();
  /** What is missing, if the password was right. */
  const [missing, setMissing] = useState<'code' | 'passkey'>();
  const isSignedIn = useIsSignedIn();
  useEffect(() => {
    if (isSignedIn) leave();
  }, [isSignedIn]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    withPasskey.reset();
    signIn.mutate(
      { email, password, ...(code === undefined ? {} : { code: code.trim() }) },
      {
        onSuccess: leave,
        onError: (error) => {
          const problem = error instanceof ApiProblem ? error.code : undefined;
          if (problem === 'code-required') setCode('');
          if (problem === 'code-required' || problem === 'wrong-code') setMissing('code');
          else setMissing(problem === 'passkey-required' ? 'passkey' : undefined);
        },
      },
    );
  };
  const usePasskey = () => {
    signIn.reset();
    withPasskey.mutate(missing ? { email, password } : undefined, { onSuccess: leave });
  };
  return (
    <AuthLayout title={t('title')} hint={t('hint')}>
      <form onSubmit={submit}>
        <Stack>
          <Refusal error={signIn.error ?? withPasskey.error} />
          <TextInput
            label={t('email')}
            type="email"
            name="email"
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('password')}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {code !== undefined && (
            <TextInput
              label={t('code')}
              name="code"
              autoComplete="one-time-code"
              required
              withAsterisk={false}
              autoFocus
              minLength={6}
              maxLength={40}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          )}
          <Button
            type="submit"
            variant={missing === 'passkey' ? 'default' : 'filled'}
            loading={signIn.isPending}
            fullWidth
          >
            {t('submit')}
          </Button>
          <Anchor href="/new-password" size="sm">
            {t('forgot')}
          </Anchor>
          {supportsPasskeys() && (
            <Button
              variant={missing === 'passkey' ? 'filled' : 'default'}
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
          {sso.error && (
            <Suspense>
              <ProblemAlert error={sso.error} />
            </Suspense>
          )}
          <Text size="xs" c="dimmed">
            {t('invite')}{' '}
            <Anchor href="/docs/reference" underline="always">
              {t('docs')}
            </Anchor>
          </Text>
        </Stack>
      </form>
    </AuthLayout>
  );
}
