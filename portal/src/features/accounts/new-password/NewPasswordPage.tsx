import { Anchor, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import type { RequestBody, ResetBody } from '../../../../../src/features/accounts/contract.ts';
import { ApiProblem, post } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { AuthLayout } from '../../../app/shell/AuthLayout.tsx';
import { Notice } from '../../../ui/Action.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { explainWeakness, newPasswordField } from '../weakness.ts';
import { texts } from './texts.ts';

/** Changes something for a visitor who is not signed in. */
const usePublicPost = <Body,>(path: string) =>
  useMutation({ mutationFn: (body: Body) => post<void, unknown>(path, body), meta: { public: true } });

const Done = ({ text }: { text: string }) => <Notice color="teal" role="status" text={text} />;

function RequestForm() {
  const { t } = useReader(texts);
  const request = usePublicPost<RequestBody>('/auth/request-password-reset');
  const form = useChangeForm({ initial: { email: '' }, change: request, input: (values) => values });
  if (request.isSuccess) return <Done text={t('requested')} />;
  return (
    <Form of={form} submitLabel={t('request')} isWide inWords={{ 'mail-not-configured': t('noMail') }}>
      <TextInput {...form.field('email', t('email'))} type="email" autoComplete="username" required autoFocus />
    </Form>
  );
}

function PasswordForm({ token }: { token: string }) {
  const { t } = useReader(texts);
  const reset = usePublicPost<ResetBody>('/auth/reset-password');
  const form = useChangeForm({
    initial: { newPassword: '' },
    change: reset,
    input: ({ newPassword }) => ({ token, newPassword }),
    explain: (error) => explainWeakness(error, t),
  });
  const isGone = reset.error instanceof ApiProblem && reset.error.status === 404;
  if (reset.isSuccess) return <Done text={t('done')} />;
  return (
    <Form of={form} submitLabel={t('submit')} isWide inWords={{ 'not-found': t('gone') }}>
      <PasswordInput
        {...form.field('newPassword', t('password'))}
        description={t('passwordHint')}
        {...newPasswordField}
        autoFocus
      />
      {isGone && (
        <Anchor component={Link} to="/new-password">
          {t('again')}
        </Anchor>
      )}
    </Form>
  );
}

/** Requests a link by mail or, opened by that link, sets the new password. The token is never sent with the page. */
export function Component() {
  const { t } = useReader(texts);
  const token = useLocation().hash.slice(1);
  return (
    <AuthLayout title={t('title')} hint={t(token === '' ? 'requestHint' : 'hint')}>
      <Stack>
        {token === '' ? <RequestForm /> : <PasswordForm token={token} />}
        <Anchor component={Link} to="/sign-in">
          {t('toSignIn')}
        </Anchor>
      </Stack>
    </AuthLayout>
  );
}
