import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useSignIn } from '../../api/account.ts';
import { ApiProblem } from '../../api/request.ts';
import { ProblemAlert } from '../../components/ProblemAlert.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { AuthLayout } from '../../shell/AuthLayout.tsx';
import { addressAfterSignIn } from '../../sign-in-address.ts';
import { de } from './de.ts';
import { en } from './en.ts';

/** Renders a failed sign-in. The two common refusals have their own texts. */
function Refusal({ error }: { error: Error | null }) {
  const t = useTexts({ en, de });
  const status = error instanceof ApiProblem ? error.status : undefined;
  if (status !== 401 && status !== 429) return <ProblemAlert error={error} />;
  const seconds = (error as ApiProblem).retryAfter ?? 60;
  return (
    <Alert color="red" role="alert">
      {status === 401 ? t('wrong') : t('tooMany', { count: seconds })}
    </Alert>
  );
}

export function Component() {
  const t = useTexts({ en, de });
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const signIn = useSignIn();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(
      { email, password },
      { onSuccess: () => navigate(addressAfterSignIn(params.get('next')), { replace: true }) },
    );
  };
  return (
    <AuthLayout title={t('title')} hint={t('hint')}>
      <form onSubmit={submit}>
        <Stack>
          <Refusal error={signIn.error} />
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
          <Button type="submit" loading={signIn.isPending} fullWidth>
            {t('submit')}
          </Button>
          <Text size="xs" c="dimmed">
            {t('invite')}{' '}
            <Anchor href="/docs/" underline="always">
              {t('docs')}
            </Anchor>
          </Text>
        </Stack>
      </form>
    </AuthLayout>
  );
}
