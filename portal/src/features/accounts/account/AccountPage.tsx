import { Badge, Card, Group, PasswordInput, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core';
import type { Session } from '../../../../../src/features/accounts/contract.ts';
import type { NoticeSettings } from '../../../../../src/features/notices/contract.ts';
import { useMe } from '../../../app/api/me.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, Notice, SmallAction } from '../../../ui/Action.tsx';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { Page, Section } from '../../../ui/layout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Query, RowsSkeleton } from '../../../ui/Query.tsx';
import { Small, TimeText } from '../../../ui/text.tsx';
import { useChangePassword, useEndSession, useNotices, useSecondFactor, useSessions, useSwitchNotice } from '../api.ts';
import { useMemberships, useRequestAddressProof } from '../memberships.ts';
import { usePasskeys } from '../passkeys.ts';
import { explainWeakness, newPasswordField } from '../weakness.ts';
import { Passkeys, SecondFactor } from './factors.tsx';
import { texts } from './texts.ts';

/** Tells a user whose address is not proven what that means, and mails the link that proves it. */
function AddressProof({ email }: { email: string }) {
  const { t } = useReader(texts);
  const { data } = useMemberships();
  const request = useRequestAddressProof();
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

function NoticeSwitch({ notice, isOn }: NoticeSettings['notices'][number]) {
  const { t } = useReader(texts);
  const change = useSwitchNotice();
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
              <NoticeSwitch key={one.notice} {...one} />
            ))}
          </Stack>
        )}
      </Query>
    </Section>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { t } = useReader(texts);
  const end = useEndSession();
  const device = session.device ?? t('unknownDevice');
  return (
    <Group justify="space-between" gap="xs" component="li" wrap="nowrap" align="flex-start">
      <div>
        <Group gap={6}>
          <Text fw={600}>{device}</Text>
          {session.isCurrent && (
            <Badge size="sm" color="teal">
              {t('thisSession')}
            </Badge>
          )}
        </Group>
        <Small>
          {session.address} · {session.method && `${t(session.method)} · `}
          {t('lastUsed')} <TimeText at={session.lastUsedAt} isRealTime />
        </Small>
        <ProblemAlert error={end.error} />
      </div>
      {!session.isCurrent && (
        <SmallAction
          flex="none"
          loading={end.isPending}
          aria-label={t('endSessionOf', { device })}
          onClick={() => end.mutate(session.id)}
          label={t('endSession')}
        />
      )}
    </Group>
  );
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
  const change = useChangePassword();
  const form = useChangeForm({
    initial: { current: '', newPassword: '', repeat: '' },
    change,
    input: ({ current, newPassword }) => ({ currentPassword: current, newPassword }),
    validate: ({ newPassword, repeat }) => ({ repeat: newPassword !== repeat && t('differs') }),
    atFields: { 'wrong-password': { current: t('wrong') } },
    explain: (error) => explainWeakness(error, t),
    onDone: () => form.reset(),
  });
  return (
    <Form of={form} submitLabel={t('changePassword')}>
      {change.isSuccess && <Notice color="teal" role="status" text={t('done')} />}
      {/* Password managers store the password under this name. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput {...form.field('current', t('current'))} autoComplete="current-password" required />
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
  const facts: Fact[] = user
    ? [
        [t('name'), user.name],
        [t('email'), user.email],
        [t('roles'), user.roles.map((role) => words.role[role]).join(', ')],
      ]
    : [];
  return (
    <Page title={t('account')} description={t(isManaged ? 'managedDescription' : 'description')}>
      {user?.mustAddSecondFactor && <Notice color="yellow" role="note" mb="md" text={t('factorRequired')} />}
      {isLoading ? (
        <RowsSkeleton rows={12} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
          <Stack>
            <Card>
              <Facts facts={facts} labelWidth={80} />
              {isManaged ? <Text mt="md">{t('managed')}</Text> : <AddressProof email={user?.email ?? ''} />}
            </Card>
            {!isManaged && <Passkeys />}
            {!isManaged && <SecondFactor />}
          </Stack>
          <Stack>
            {!isManaged && (
              <Card>
                <Title order={2} mb="md">
                  {t('changePassword')}
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
