import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ApiProblem } from '../../../app/api/request.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { AuthLayout } from '../../../app/shell/AuthLayout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { useRequestPasswordReset, useResetPassword } from '../api.ts';
import { weaknessOf } from '../weakness.ts';
import { texts } from './texts.ts';

function RequestForm() {
  const t = useTexts(texts);
  const request = useRequestPasswordReset();
  const [email, setEmail] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    request.mutate(email);
  };
  if (request.isSuccess) {
    return (
      <Alert color="teal" role="status">
        {t('requested')}
      </Alert>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <ProblemAlert error={request.error} inWords={{ 'mail-not-configured': t('noMail') }} />
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
        <Button type="submit" loading={request.isPending}>
          {t('request')}
        </Button>
      </Stack>
    </form>
  );
}

function PasswordForm({ token }: { token: string }) {
  const t = useTexts(texts);
  const reset = useResetPassword();
  const [newPassword, setNewPassword] = useState('');
  const weakness = weaknessOf(reset.error);
  const isGone = reset.error instanceof ApiProblem && reset.error.status === 404;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate({ token, newPassword });
  };
  if (reset.isSuccess) {
    return (
      <Alert color="teal" role="status">
        {t('done')}
      </Alert>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {!weakness && <ProblemAlert error={reset.error} inWords={{ 'not-found': t('gone') }} />}
        <PasswordInput
          label={t('password')}
          description={t('passwordHint')}
          name="password"
          autoComplete="new-password"
          required
          withAsterisk={false}
          autoFocus
          minLength={12}
          maxLength={128}
          error={weakness && t(weakness)}
          value={newPassword}
          onChange={(event) => setNewPassword(event.currentTarget.value)}
        />
        {isGone && (
          <Anchor component={Link} to="/new-password" size="sm">
            {t('again')}
          </Anchor>
        )}
        <Button type="submit" loading={reset.isPending}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}

/** Requests a link by mail or, opened by that link, sets the new password. The token is never sent with the page. */
export function Component() {
  const t = useTexts(texts);
  const token = useLocation().hash.slice(1);
  return (
    <AuthLayout title={t('title')} hint={t(token === '' ? 'requestHint' : 'hint')}>
      <Stack>
        {token === '' ? <RequestForm /> : <PasswordForm token={token} />}
        <Anchor component={Link} to="/sign-in" size="sm">
          {t('toSignIn')}
        </Anchor>
      </Stack>
    </AuthLayout>
  );
}
