import { PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type {
  AcceptInvitationBody,
  Invitation,
  JoinBody,
} from '../../../../../src/features/accounts/users/contract.ts';
import { useGet, usePost } from '../../../app/api/queries.ts';
import { ApiProblem, at } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { AuthLayout } from '../../../app/shell/AuthLayout.tsx';
import { Action } from '../../../ui/Action.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { Loading, Query } from '../../../ui/Query.tsx';
import { explainWeakness, newPasswordField } from '../weakness.ts';
import { texts } from './texts.ts';

interface Props extends Pick<Invitation, 'hasAccount' | 'email'> {
  token: string;
}

/** Asks for the password of an account that exists, or for the name and password of a new one. */
function AcceptForm({ token, hasAccount, email }: Props) {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  const client = useQueryClient();
  const path = at`/invitations/${token}`;
  const form = useChangeForm({
    initial: { name: '', password: '' },
    change: usePost<void, AcceptInvitationBody | JoinBody>(hasAccount ? `${path}/join` : path, []),
    input: ({ name, password }) => (hasAccount ? { password } : { name: name.trim(), password }),
    atFields: { 'sign-in-failed': { password: t('wrongPassword') } },
    explain: (error) => explainWeakness(error, t),
    onDone: () => {
      // Nothing of the previous user stays. The invitation does, because a new request for it would fail.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invitation' });
      void navigate('/', { replace: true });
    },
  });
  const password = form.field('password', t('password'));
  return (
    <Form of={form} submitLabel={t(hasAccount ? 'join' : 'submit')} isWide>
      {/* Password managers store the password under this name. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      {hasAccount ? (
        <PasswordInput {...password} autoComplete="current-password" required autoFocus maxLength={128} />
      ) : (
        <>
          <TextInput {...form.field('name', t('name'))} autoComplete="name" required maxLength={100} autoFocus />
          <PasswordInput {...password} description={t('passwordHint')} {...newPasswordField} />
        </>
      )}
    </Form>
  );
}

export function Component() {
  const { t, words } = useReader(texts);
  const { token = '' } = useParams();
  const invitation = useGet<Invitation>(['invitation', token], at`/invitations/${token}`, {
    meta: { public: true },
    retry: false,
  });
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
        {(found) => <AcceptForm token={token} hasAccount={found.hasAccount} email={found.email} />}
      </Query>
    </AuthLayout>
  );
}
