import { Checkbox, type CheckboxGroupProps, Code, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { roles as allRoles, type Role } from '../../../../../src/domain/enums.ts';
import type {
  EndedSessions,
  InvitationBody,
  NewInvitation,
  RemoveUserBody,
  ResetLink,
  RolesBody,
  UserEndpoint,
  UserKey,
  Users,
} from '../../../../../src/features/accounts/users/contract.ts';
import { useMe } from '../../../app/api/me.ts';
import { useGet, usePost } from '../../../app/api/queries.ts';
import { at } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action } from '../../../ui/Action.tsx';
import { Secret } from '../../../ui/copy.tsx';
import { ConfirmChange, Dialog, type DialogState, SecretNote } from '../../../ui/Dialog.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { texts } from './texts.ts';

export const touched = ['users', 'activity'];

/** A change of one user. */
const useUserChange = <Data, Body = undefined>(id: string, name: string, more: readonly string[] = []) =>
  usePost<Data, Body>(`${at`/users/${id}`}/${name}`, [...touched, ...more]);

export type User = Users['users'][number];

interface UserModalProps extends DialogState {
  user: User;
}

/** Returns texts for what the service may refuse. */
function useRefusals() {
  const { t } = useReader(texts);
  return { 'last-admin': t('lastAdmin'), 'not-found': t('goneMeanwhile') };
}

interface CheckListProps extends Omit<CheckboxGroupProps, 'children'> {
  items: readonly { value: string; label: string; description?: ReactNode }[];
  gap?: 'xs' | 'sm';
}

const CheckList = ({ items, gap = 'xs', ...props }: CheckListProps) => (
  <Checkbox.Group {...props}>
    <Stack gap={gap} mt="xs">
      {items.map((item) => (
        <Checkbox key={item.value} {...item} />
      ))}
    </Stack>
  </Checkbox.Group>
);

/** Lists every role with what it may do, least powerful first. A user has at least one. */
function RolesChoice({ value, onChange }: { value: readonly Role[]; onChange(roles: Role[]): void }) {
  const { t, words } = useReader(texts);
  return (
    <CheckList
      label={t('roles')}
      description={t('rolesHint')}
      error={value.length === 0 && t('noRole')}
      value={[...value]}
      onChange={(values) => onChange(allRoles.filter((role) => values.includes(role)))}
      items={allRoles.toReversed().map((role) => ({ value: role, label: words.role[role], description: t(role) }))}
      gap="sm"
    />
  );
}

/** Invites a user and shows the link once, unless it was mailed. */
export function InviteModal({ opened, onClose }: DialogState) {
  const { t, formats } = useReader(texts);
  const invite = usePost<NewInvitation, InvitationBody>('/users/invitations', touched);
  const { data: created, variables } = invite;
  const isMailed = created?.link === null;
  const form = useChangeForm({
    initial: { email: '', roles: ['viewer'] as Role[] },
    change: invite,
    input: ({ email, roles }) => ({ email: email.trim(), roles }),
    atFields: { 'email-taken': { email: t('emailTaken') } },
    explain: ({ pointer }) => pointer === '/email' && t('invalidEmail'),
  });
  const reset = () => {
    invite.reset();
    form.reset();
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={reset}
      title={t(created ? (isMailed ? 'sentTitle' : 'linkTitle') : 'invite')}
      isPinned={Boolean(created?.link)}
    >
      {created ? (
        <SecretNote
          hint={t(isMailed ? 'sentHint' : 'linkHint', {
            email: variables?.email ?? '',
            time: formats.time(created.expiresAt),
          })}
          doneLabel={t(isMailed ? 'close' : 'done')}
          onDone={onClose}
        >
          {created.link !== null && <Secret label={t('link')} value={created.link} once />}
        </SecretNote>
      ) : (
        <Form of={form} submitLabel={t('inviteSubmit')} disabled={form.values.roles.length === 0} onCancel={onClose}>
          <Text>{t('inviteHint')}</Text>
          <TextInput
            {...form.field('email', t('email'))}
            type="email"
            required
            maxLength={254}
            autoComplete="off"
            data-autofocus
          />
          <RolesChoice value={form.values.roles} onChange={(roles) => form.setFieldValue('roles', roles)} />
        </Form>
      )}
    </Dialog>
  );
}

export function RolesModal({ user, ...modal }: UserModalProps) {
  const { t, words } = useReader(texts);
  const { id, name } = user;
  const isOwn = useMe().data?.user.id === id;
  const [roles, choose] = useState<Role[]>(user.roles);
  return (
    <ConfirmChange
      {...modal}
      change={useUserChange<void, RolesBody>(id, 'roles', ['me'])}
      input={{ roles }}
      done={t('rolesDone', { name, roles: roles.map((role) => words.role[role]).join(', ') })}
      title={t('rolesTitle', { name })}
      confirmLabel={t('changeRoles')}
      disabled={roles.length === 0 || roles.join() === user.roles.join()}
      inWords={useRefusals()}
    >
      <Stack>
        <RolesChoice value={roles} onChange={choose} />
        {isOwn && user.roles.includes('admin') && !roles.includes('admin') && (
          <Text fw={600} role="status">
            {t('rolesOwn')}
          </Text>
        )}
      </Stack>
    </ConfirmChange>
  );
}

export function EndSessionsModal({ user: { id, name, email }, ...modal }: UserModalProps) {
  const { t } = useReader(texts);
  const isOwn = useMe().data?.user.id === id;
  return (
    <ConfirmChange
      {...modal}
      change={useUserChange<EndedSessions>(id, 'end-sessions')}
      input={undefined}
      done={t('sessionsEnded', { name })}
      title={t('endSessionsTitle', { name })}
      confirmLabel={t('endSessions')}
      inWords={useRefusals()}
    >
      <span className="breakable">{isOwn ? t('endSessionsOwn') : t('endSessionsText', { email })}</span>
    </ConfirmChange>
  );
}

export function ResetFactorModal({ user: { id, name, email }, ...modal }: UserModalProps) {
  const { t } = useReader(texts);
  return (
    <ConfirmChange
      {...modal}
      change={useUserChange<void>(id, 'reset-second-factor')}
      input={undefined}
      done={t('factorReset', { name })}
      title={t('resetFactorTitle', { name })}
      confirmLabel={t('resetFactorSubmit')}
      inWords={useRefusals()}
      danger
    >
      <span className="breakable">{t('resetFactorText', { email })}</span>
    </ConfirmChange>
  );
}

/** Creates the link with which a user chooses a new password. Shows it once, unless it was mailed. */
export function ResetLinkModal({ user: { id, name, email }, opened, onClose }: UserModalProps) {
  const { t, formats } = useReader(texts);
  const refusals = useRefusals();
  const create = useUserChange<ResetLink>(id, 'reset-link');
  const { data: made } = create;
  const isShown = made !== undefined && made.link !== null;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => create.reset()}
      title={t('resetLinkTitle', { name })}
      isPinned={isShown}
    >
      <Stack>
        <Text className="breakable" role="status">
          {made === undefined
            ? t('resetLinkText', { email })
            : t(isShown ? 'resetLinkShown' : 'resetLinkMailed', { email, time: formats.time(made.expiresAt) })}
        </Text>
        <ProblemAlert error={create.error} inWords={{ ...refusals, 'not-found': t('noPassword') }} />
        {made?.link != null && <Secret label={t('resetLink')} value={made.link} once />}
        <Group justify="flex-end" gap="xs">
          {made === undefined ? (
            <>
              <Action variant="default" onClick={onClose} label={t('cancel')} />
              <Action
                loading={create.isPending}
                onClick={() => create.mutate(undefined)}
                label={t('resetLinkSubmit')}
              />
            </>
          ) : (
            <Action onClick={onClose} label={t(isShown ? 'done' : 'close')} />
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

export function RemoveModal({ user: { id, name, email }, opened, onClose }: UserModalProps) {
  const { t } = useReader(texts);
  // Again whenever the dialog opens.
  const keys = useGet<UserKey[]>(['user-keys', id], at`/users/${id}/keys`, {
    enabled: opened,
    staleTime: 0,
    gcTime: 0,
  });
  const endpoints = useGet<UserEndpoint[]>(['user-endpoints', id], at`/users/${id}/webhook-endpoints`, {
    enabled: opened,
  });
  const enabled = endpoints.data?.filter(({ state }) => state === 'enabled') ?? [];
  const [disabled, setDisabled] = useState<string[]>([]);
  /** The keys that the admin ticked or cleared. Every other key is revoked if only the removed user knows it. */
  const [choices, setChoices] = useState<Readonly<Record<string, boolean>>>({});
  const isOwn = useMe().data?.user.id === id;
  const isRevoked = (key: UserKey) => choices[key.username] ?? key.isOnlyTheirs;
  const namesOf = (revoked: boolean) =>
    (keys.data ?? []).filter((key) => isRevoked(key) === revoked).map(({ username }) => username);
  return (
    <ConfirmChange
      opened={opened}
      onClose={onClose}
      change={useUserChange<void, RemoveUserBody>(id, 'remove', ['keys'])}
      input={{ revokeKeys: namesOf(true), keepKeys: namesOf(false), disableEndpoints: disabled.map(Number) }}
      done={t('removed', { name })}
      title={t('removeTitle', { name })}
      confirmLabel={t('removeSubmit')}
      disabled={keys.data === undefined || endpoints.data === undefined}
      inWords={useRefusals()}
      danger
    >
      <Stack gap="sm">
        <span className="breakable">{t('removeText', { email })}</span>
        {isOwn && <strong>{t('removeOwn')}</strong>}
        <ProblemAlert error={keys.error} onRetry={() => void keys.refetch()} />
        <ProblemAlert error={endpoints.error} onRetry={() => void endpoints.refetch()} />
        {keys.data === undefined && !keys.error && <Skeleton height={48} radius="md" />}
        {keys.data && keys.data.length > 0 && (
          <CheckList
            label={t('keysTitle')}
            description={t('keysHint')}
            value={namesOf(true)}
            onChange={(revoked) =>
              setChoices(Object.fromEntries(keys.data.map(({ username }) => [username, revoked.includes(username)])))
            }
            items={keys.data.map(({ username, name: label, isOnlyTheirs }) => ({
              value: username,
              label,
              description: (
                <>
                  <Code fz="xs">{username}</Code> {t(isOnlyTheirs ? 'keyOnlyTheirs' : 'keyShared')}
                </>
              ),
            }))}
          />
        )}
        {enabled.length > 0 && (
          <CheckList
            label={t('endpointsTitle')}
            description={t('endpointsHint')}
            value={disabled}
            onChange={setDisabled}
            items={enabled.map(({ id: endpoint, description, host }) => ({
              value: String(endpoint),
              label: description || host,
              description: description ? host : undefined,
            }))}
          />
        )}
      </Stack>
    </ConfirmChange>
  );
}
