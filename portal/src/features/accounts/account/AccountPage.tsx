import { Card, PasswordInput, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ChangePasswordBody, Session } from '../../../../../src/features/accounts/contract.ts';
import type { NoticeSettings, NoticeSwitch } from '../../../../../src/features/notices/contract.ts';
import { useMe } from '../../../app/api/me.ts';
import { useChange, usePost } from '../../../app/api/queries.ts';
import { at, post } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, Notice, SmallAction } from '../../../ui/Action.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { Page, Section } from '../../../ui/layout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Query, RowsSkeleton } from '../../../ui/Query.tsx';
import { Small, TimeText } from '../../../ui/text.tsx';
import { useMemberships, useNotices, useSecondFactor, useSessions } from '../api.ts';
import { usePasskeys } from '../passkeys.ts';
import { explainWeakness, newPasswordField } from '../weakness.ts';
import { Item, Passkeys, SecondFactor } from './factors.tsx';
import { texts } from './texts.ts';

/** Tells a user whose address is not proven what that means, and mails the link that proves it. */
function AddressProof({ email }: { email: string }) {
  const { t } = useReader(texts);
  const { data } = useMemberships();
  const request = useMutation({ mutationFn: () => post<void>('/auth/prove-address') });
  if (data === undefined || data.isProven) return null;
  return (
    <Stack align="flex-start" gap="xs" mt="md">
      <Text>{t(data.mayProve ? 'unproven' : 'unprovenWithoutMail')}</Text>
      <ProblemAlert error={request.error} />
      {request.isSuccess && <Notice color="teal" role="status" text={t('proofSent', { email })} />}
      {data.mayProve && !request.isSuccess && (
        <Action
          variant="light"
          size="xs"
          onClick={() => request.mutate()}
          loading={request.isPending}
          label={t('sendProof')}
        />
      )}
    </Stack>
  );
}

function NoticeLine({ notice, isOn }: NoticeSettings['notices'][number]) {
  const { t } = useReader(texts);
  const change = usePost<void, NoticeSwitch>('/me/notices', ['notices']);
  return (
    <div>
      <Switch
        label={t(notice)}
        // The new state shows at once, and the old one again if it could not be saved.
        checked={change.isPending ? change.variables.isOn : isOn}
        onChange={(event) => change.mutate({ notice, isOn: event.currentTarget.checked })}
      />
      <ProblemAlert error={change.error} />
    </div>
  );
}

function Notices() {
  const { t } = useReader(texts);
  const email = useMe().data?.user.email ?? '';
  const hint = ({ notices, isMailConfigured }: NoticeSettings) =>
    notices.length === 0 ? t('noNotices') : isMailConfigured ? t('noticesHint', { email }) : t('noMail');
  return (
    <Section title={t('noticesTitle')}>
      <Query of={useNotices()}>
        {(settings) => (
          <Stack>
            <Text>{hint(settings)}</Text>
            {settings.notices.map((one) => (
              <NoticeLine key={one.notice} {...one} />
            ))}
          </Stack>
        )}
      </Query>
    </Section>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { t } = useReader(texts);
  const end = useChange(() => post<void>(at`/auth/sessions/${session.id}/end`), ['sessions', 'activity']);
  const device = session.device ?? t('unknownDevice');
  const hint = (
    <>
      <Small>
        {session.address} · {session.method && `${t(session.method)} · `}
        {t('lastUsed')} <TimeText at={session.lastUsedAt} isRealTime />
      </Small>
      <ProblemAlert error={end.error} />
    </>
  );
  const action = !session.isCurrent && (
    <SmallAction
      flex="none"
      loading={end.isPending}
      aria-label={t('endSessionOf', { device })}
      onClick={() => end.mutate()}
      label={t('endSession')}
    />
  );
  return <Item name={device} badge={session.isCurrent && t('thisSession')} hint={hint} action={action} />;
}

function Sessions() {
  const { t } = useReader(texts);
  return (
    <Section title={t('sessionsTitle')}>
      <Query of={useSessions()}>
        {(sessions) => (
          <Stack component="ul" gap="md" className="plain-list">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </Stack>
        )}
      </Query>
    </Section>
  );
}

function PasswordForm({ email }: { email: string }) {
  const { t } = useReader(texts);
  const change = useMutation({
    mutationFn: (body: ChangePasswordBody) => post<void, ChangePasswordBody>('/auth/change-password', body),
  });
  const form = useChangeForm({
    initial: { currentPassword: '', newPassword: '', repeat: '' },
    change,
    input: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    validate: ({ newPassword, repeat }) => ({ repeat: newPassword !== repeat && t('differs') }),
    atFields: { 'wrong-password': { currentPassword: t('wrong') } },
    explain: (error) => explainWeakness(error, t),
    onDone: () => form.reset(),
  });
  return (
    <Form of={form} submitLabel={t('changePassword')}>
      {change.isSuccess && <Notice color="teal" role="status" text={t('done')} />}
      {/* Password managers store the password under this name. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput {...form.field('currentPassword', t('current'))} autoComplete="current-password" required />
      <PasswordInput {...form.field('newPassword', t('next'))} description={t('nextHint')} {...newPasswordField} />
      <PasswordInput {...form.field('repeat', t('repeat'))} autoComplete="new-password" required />
    </Form>
  );
}

export function Component() {
  const { t, words } = useReader(texts);
  const user = useMe().data?.user;
  // All at once, because a section that grows would move those below it.
  const parts = [useMemberships(), usePasskeys(), useSecondFactor(), useSessions(), useNotices()];
  const isManaged = user?.signedInBy === 'single-sign-on';
  const isLoading = parts.some((query) => query.isLoading);
  const facts = user && [
    [t('name'), user.name] as const,
    [t('email'), user.email] as const,
    [t('roles'), user.roles.map((role) => words.role[role]).join(', ')] as const,
  ];
  return (
    <Page title={t('account')} description={t(isManaged ? 'managedDescription' : 'description')}>
      {user?.mustAddSecondFactor && <Notice color="yellow" role="note" mb="md" text={t('factorRequired')} />}
      {isLoading ? (
        <RowsSkeleton rows={12} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
          <Stack>
            <Card>
              <Facts facts={facts ?? []} labelWidth={80} />
              {isManaged ? <Text mt="md">{t('managed')}</Text> : <AddressProof email={user?.email ?? ''} />}
            </Card>
            {!isManaged && <Passkeys />}
            {!isManaged && <SecondFactor />}
          </Stack>
          <Stack>
            {!isManaged && (
              <Section title={t('changePassword')}>
                <PasswordForm email={user?.email ?? ''} />
              </Section>
            )}
            <Sessions />
            <Notices />
          </Stack>
        </SimpleGrid>
      )}
    </Page>
  );
}
