import { Alert, Button, Card, PasswordInput, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMe } from '../../../app/api/me.ts';
import { ApiProblem } from '../../../app/api/request.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import { Page } from '../../../ui/Page.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx';
import { useChangePassword, useNotices, useSecondFactor, useSessions } from '../api.ts';
import { useMemberships } from '../memberships.ts';
import { usePasskeys } from '../passkeys.ts';
import { weaknessOf } from '../weakness.ts';
import { AddressProof } from './AddressProof.tsx';
import { Notices } from './Notices.tsx';
import { Passkeys } from './Passkeys.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions } from './Sessions.tsx';
import { texts } from './texts.ts';

const nothing = { current: '', next: '', repeat: '' };

function PasswordForm({ email }: { email: string }) {
  const t = useTexts(texts);
  const change = useChangePassword();
  const [fields, setFields] = useState(nothing);
  const [isSent, setSent] = useState(false);
  const differs = fields.next !== fields.repeat;
  const isWrong = change.error instanceof ApiProblem && change.error.code === 'wrong-password';
  const weakness = weaknessOf(change.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (differs) return;
    const onSuccess = () => {
      setFields(nothing);
      setSent(false);
    };
    change.mutate({ currentPassword: fields.current, newPassword: fields.next }, { onSuccess });
  };
  const field = (name: keyof typeof nothing) => ({
    label: t(name),
    name,
    required: true,
    withAsterisk: false,
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFields((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        {change.isSuccess && (
          <Alert color="teal" role="status">
            {t('done')}
          </Alert>
        )}
        {!isWrong && !weakness && <ProblemAlert error={change.error} />}
        {/* Password managers store the password under this name. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput {...field('current')} autoComplete="current-password" error={isWrong && t('wrong')} />
        <PasswordInput
          {...field('next')}
          description={t('nextHint')}
          error={weakness && t(weakness)}
          autoComplete="new-password"
          minLength={12}
          maxLength={128}
        />
        <PasswordInput {...field('repeat')} autoComplete="new-password" error={isSent && differs && t('differs')} />
        <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}

export function Component() {
  const t = useTexts(texts);
  const words = useWords();
  const user = useMe().data?.user;
  // All at once, because a section that grows would move those below it.
  const parts = [useMemberships(), usePasskeys(), useSecondFactor(), useSessions(), useNotices()];
  const isManaged = user?.signedInBy === 'single-sign-on';
  const isLoading = parts.some((query) => query.isLoading);
  const facts: Fact[] = user
    ? [
        [t('name'), user.name],
        [t('email'), user.email],
        [t('roles'), user.roles.map((role) => words.role[role]).join(', ')],
      ]
    : [];
  return (
    <Page title={t('title')} description={t(isManaged ? 'managedDescription' : 'description')}>
      {user?.mustAddSecondFactor && (
        <Alert color="yellow" role="note" mb="md">
          {t('factorRequired')}
        </Alert>
      )}
      {isLoading ? (
        <RowsSkeleton rows={12} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
          <Stack>
            <Card>
              <Facts facts={facts} labelWidth={80} />
              {isManaged ? (
                <Text size="sm" mt="md">
                  {t('managed')}
                </Text>
              ) : (
                <AddressProof email={user?.email ?? ''} />
              )}
            </Card>
            {!isManaged && <Passkeys />}
            {!isManaged && <SecondFactor />}
          </Stack>
          <Stack>
            {!isManaged && (
              <Card>
                <Title order={2} mb="md">
                  {t('passwordTitle')}
                </Title>
                <PasswordForm email={user?.email ?? ''} />
              </Card>
            )}
            <Sessions />
            <Notices />
          </Stack>
        </SimpleGrid>
      )}
    </Page>
  );
}
