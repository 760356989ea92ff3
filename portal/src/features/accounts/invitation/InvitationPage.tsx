import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { ApiProblem } from '../../../app/api/request.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { AuthLayout } from '../../../app/shell/AuthLayout.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { useAcceptInvitation, useInvitation, useJoinCompany } from '../users/api.ts';
import { weaknessOf } from '../weakness.ts';
import { texts } from './texts.ts';

const minLength = 12;

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

function NewAccountForm({ token, email }: FormProps) {
  const t = useTexts(texts);
  const enter = useEnter();
  const accept = useAcceptInvitation(token);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const weakness = weaknessOf(accept.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate({ name: name.trim(), password }, { onSuccess: enter });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {!weakness && <ProblemAlert error={accept.error} />}
        {/* Password managers store the password under this name. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <TextInput
          label={t('name')}
          name="name"
          autoComplete="name"
          required
          withAsterisk={false}
          maxLength={100}
          autoFocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('password')}
          description={t('passwordHint')}
          name="password"
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={minLength}
          maxLength={128}
          error={weakness && t(weakness)}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={accept.isPending}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}

/** Asks for the password of the account that the address already has. */
function JoinForm({ token, email }: FormProps) {
  const t = useTexts(texts);
  const enter = useEnter();
  const join = useJoinCompany(token);
  const [password, setPassword] = useState('');
  const isWrong = join.error instanceof ApiProblem && join.error.code === 'sign-in-failed';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    join.mutate({ password }, { onSuccess: enter });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {!isWrong && <ProblemAlert error={join.error} />}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label={t('password')}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus
          maxLength={128}
          error={isWrong && t('wrongPassword')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={join.isPending}>
          {t('join')}
        </Button>
      </Stack>
    </form>
  );
}

export function Component() {
  const t = useTexts(texts);
  const words = useWords();
  const { token = '' } = useParams();
  const { data, error } = useInvitation(token);
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <AuthLayout title={t('gone')} hint={t('goneHint')}>
        <Button component={Link} to="/sign-in" variant="default">
          {t('toSignIn')}
        </Button>
      </AuthLayout>
    );
  }
  const roles = data?.roles.map((role) => words.role[role]).join(', ') ?? '';
  const hint =
    data && t(data.hasAccount ? 'joinHint' : 'hint', { company: data.companyName, roles, email: data.email });
  return (
    <AuthLayout title={t('title')} hint={hint}>
      <ProblemAlert error={error} />
      {data === undefined && !error && <Loading />}
      {data &&
        (data.hasAccount ? (
          <JoinForm token={token} email={data.email} />
        ) : (
          <NewAccountForm token={token} email={data.email} />
        ))}
    </AuthLayout>
  );
}
