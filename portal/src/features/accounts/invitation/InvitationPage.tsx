import { PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { ApiProblem } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { AuthLayout } from '../../../app/shell/AuthLayout.tsx';
import { Action } from '../../../ui/Action.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { Loading, Query } from '../../../ui/Query.tsx';
import { useAcceptInvitation, useInvitation, useJoinCompany } from '../users/api.ts';
import { explainWeakness, newPasswordField } from '../weakness.ts';
import { texts } from './texts.ts';

/** Returns what opens the portal once the invitation is accepted. */
function useEnter() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return () => {
    // Removes the cached data of the previous user. The invitation stays cached, because a new request for it would
    // fail.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invitation' });
    return navigate('/', { replace: true });
  };
}

interface FormProps {
  token: string;
  email: string;
}

/** Password managers store the password under this name. */
const Username = ({ email }: { email: string }) => (
  <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
);

function NewAccountForm({ token, email }: FormProps) {
  const { t } = useReader(texts);
  const form = useChangeForm({
    initial: { name: '', password: '' },
    change: useAcceptInvitation(token),
    input: ({ name, password }) => ({ name: name.trim(), password }),
    explain: (error) => explainWeakness(error, t),
    onDone: useEnter(),
  });
  return (
    <Form of={form} submitLabel={t('submit')} isWide>
      <Username email={email} />
      <TextInput {...form.field('name', t('name'))} autoComplete="name" required maxLength={100} autoFocus />
      <PasswordInput {...form.field('password', t('password'))} description={t('passwordHint')} {...newPasswordField} />
    </Form>
  );
}

function JoinForm({ token, email }: FormProps) {
  const { t } = useReader(texts);
  const form = useChangeForm({
    initial: { password: '' },
    change: useJoinCompany(token),
    input: ({ password }) => ({ password }),
    atFields: { 'sign-in-failed': { password: t('wrongPassword') } },
    onDone: useEnter(),
  });
  return (
    <Form of={form} submitLabel={t('join')} isWide>
      <Username email={email} />
      <PasswordInput
        {...form.field('password', t('password'))}
        autoComplete="current-password"
        required
        autoFocus
        maxLength={128}
      />
    </Form>
  );
}

export function Component() {
  const { t, words } = useReader(texts);
  const { token = '' } = useParams();
  const invitation = useInvitation(token);
  const { data, error } = invitation;
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <AuthLayout title={t('gone')} hint={t('goneHint')}>
        <Action to="/sign-in" variant="default" label={t('toSignIn')} />
      </AuthLayout>
    );
  }
  const roles = data?.roles.map((role) => words.role[role]).join(', ') ?? '';
  const hint =
    data && t(data.hasAccount ? 'joinHint' : 'hint', { company: data.companyName, roles, email: data.email });
  return (
    <AuthLayout title={t('title')} hint={hint}>
      <Query of={invitation} skeleton={<Loading />}>
        {({ hasAccount, email }) =>
          hasAccount ? <JoinForm token={token} email={email} /> : <NewAccountForm token={token} email={email} />
        }
      </Query>
    </AuthLayout>
  );
}
