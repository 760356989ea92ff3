import {
  Alert,
  Checkbox,
  Code,
  Group,
  Radio,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Permission } from '../../../../src/domain/enums.ts';
import type { ApiKey, NewSecret } from '../../../../src/features/keys/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, Notice } from '../../ui/Action.tsx';
import { CodeBlock, Secret } from '../../ui/copy.tsx';
import { ConfirmChange, Dialog, type DialogState, SecretDialog } from '../../ui/Dialog.tsx';
import { Form, useChangeForm } from '../../ui/Form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Hint, Small } from '../../ui/text.tsx';
import { useCreateKey, useRevokeKey, useRotateKey, useUpdateKey } from './api.ts';
import { type Expiry, expiries, expiryMoment } from './expiry.ts';
import { texts as keyTexts } from './key/texts.ts';
import {
  firstCallOf,
  isIncompleteForSync,
  isSet,
  type ReadySet,
  reading,
  readySets,
  writing,
} from './permission-sets.ts';
import { texts } from './texts.ts';

/** The attributes of the field for the name of a key, which must not be blank. */
const nameField = { required: true, pattern: '.*\\S.*', maxLength: 100, autoComplete: 'off', 'data-autofocus': true };

interface PermissionsProps {
  value: Permission[];
  onChange(chosen: Permission[]): void;
  error?: ReactNode;
  /** What the key has already, which nobody has to approve. */
  current?: readonly Permission[];
}

function PermissionFields({ value: chosen, onChange, error, current = [] }: PermissionsProps) {
  const { t, words } = useReader(texts);
  const grantable = useMe().data?.user.grantablePermissions ?? chosen;
  const waiting = chosen.filter((permission) => !grantable.includes(permission) && !current.includes(permission));
  const name = (some: readonly Permission[]) => some.map((permission) => words.permission[permission]).join(', ');
  const notice = (text: string) => <Notice color="yellow" py="xs" role="status" text={text} />;
  const list = (title: string, permissions: readonly Permission[]) => (
    <Stack gap="sm" role="group" aria-label={title}>
      <Small fw={600}>{title}</Small>
      {permissions.map((permission) => (
        <Checkbox
          key={permission}
          value={permission}
          label={words.permission[permission]}
          description={words.permissionHint[permission]}
        />
      ))}
    </Stack>
  );
  return (
    <Stack gap="sm">
      <div>
        <Text fw={600} id="ready-sets">
          {t('sets')}
        </Text>
        <Group gap={6} mt={4} role="group" aria-labelledby="ready-sets">
          {(Object.keys(readySets) as ReadySet[]).map((set) => {
            const isChosen = isSet(readySets[set], chosen);
            return (
              <Action
                key={set}
                size="compact-sm"
                variant={isChosen ? 'light' : 'default'}
                aria-pressed={isChosen}
                onClick={() => onChange([...readySets[set]])}
                label={t(set)}
              />
            );
          })}
        </Group>
      </div>
      <Checkbox.Group<Permission>
        label={t('permissions')}
        description={t('permissionsHint')}
        value={chosen}
        onChange={onChange}
        error={error}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs" mb={4}>
          {list(t('reading'), reading)}
          {list(t('writing'), writing)}
        </SimpleGrid>
      </Checkbox.Group>
      {isIncompleteForSync(chosen) && notice(t('syncNeeds', { permission: words.permission['view-employees'] }))}
      {waiting.length > 0 && notice(t('needsApproval', { permissions: name(waiting) }))}
    </Stack>
  );
}

interface CreatedSecret extends NewSecret {
  permissions: readonly Permission[];
}

interface KeyDialogProps extends DialogState {
  title: string;
  /** Renders the form, which passes the new secret to `onCreated`. */
  children(onCreated: (secret: CreatedSecret) => void): ReactNode;
}

/** Asks for a new key or password, then shows the password once. */
export function SecretModal({ children, ...dialog }: KeyDialogProps) {
  const { t } = useReader(texts);
  const apiUrl = useMe().data?.apiUrl ?? '';
  return (
    <SecretDialog
      {...dialog}
      form={children}
      secretTitle={t('createdTitle')}
      hint={t('createdHint')}
      doneLabel={t('done')}
    >
      {({ username, password, permissions, requestedPermissions }) => (
        <>
          {requestedPermissions && <Notice color="yellow" role="note" text={t('worksAfterApproval')} />}
          <Secret label={t('username')} value={username} />
          <Secret label={t('password')} value={password} once />
          <div>
            <Title order={3}>{t('tryIt')}</Title>
            <Hint mb="xs">{t('tryHint')}</Hint>
            <CodeBlock
              label={t('tryIt')}
              code={`curl -u '${username}:${password}' \\\n  '${apiUrl}${firstCallOf(permissions)}'`}
            />
          </div>
        </>
      )}
    </SecretDialog>
  );
}

const overlaps = ['0', '1', '24', '168'] as const;

interface RotateFormProps {
  apiKey: ApiKey;
  onCreated(secret: CreatedSecret): void;
  onCancel(): void;
}

function RotateForm({ apiKey, onCreated, onCancel }: RotateFormProps) {
  const { t, formats } = useReader(texts);
  const { username, permissions, previousValidUntil } = apiKey;
  const form = useChangeForm({
    initial: { hours: '24' as (typeof overlaps)[number] },
    change: useRotateKey(),
    input: ({ hours }) => ({ username, overlapHours: Number(hours) }),
    onDone: (secret) => onCreated({ ...secret, permissions }),
  });
  const { hours } = form.values;
  return (
    <Form of={form} submitLabel={t('rotatePassword')} onCancel={onCancel} inWords={{ 'not-found': t('gone') }}>
      <Text>{t('rotateHint')}</Text>
      <Radio.Group {...form.getInputProps('hours')} label={t('overlapLabel')}>
        <Stack gap="xs" mt="xs">
          {overlaps.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`hours${value}`)}
              {...(value === hours ? { 'data-autofocus': true } : {})}
            />
          ))}
        </Stack>
      </Radio.Group>
      {(hours === '0' || previousValidUntil !== null) && (
        <Alert color="yellow" py="xs" role="status">
          {hours === '0' && <div>{t('stopsNow')}</div>}
          {previousValidUntil !== null && <div>{t('replaced', { time: formats.time(previousValidUntil) })}</div>}
        </Alert>
      )}
    </Form>
  );
}

export function RotateModal({ apiKey, ...modal }: KeyProps) {
  const { t } = useReader(texts);
  return (
    <SecretModal {...modal} title={t('rotateTitle', { name: apiKey.name })}>
      {(onCreated) => <RotateForm apiKey={apiKey} onCreated={onCreated} onCancel={modal.onClose} />}
    </SecretModal>
  );
}

/** Loaded lazily. Most keys are created without the calendar, which is larger than the rest of the page. */
const DateField = lazy(async () => ({ default: (await import('../../ui/DateField.tsx')).DateField }));

export function NewKeyForm({ onCreated, onCancel }: Pick<RotateFormProps, 'onCreated' | 'onCancel'>) {
  const { t } = useReader(texts);
  const timeZone = useMe().data?.company.timeZone ?? 'Europe/Berlin';
  const form = useChangeForm({
    initial: { name: '', permissions: [] as Permission[], expiry: 'never' as Expiry, day: null as string | null },
    change: useCreateKey(),
    input: ({ name, permissions, expiry, day }) => ({
      name: name.trim(),
      permissions,
      expiresAt: expiryMoment(expiry, day, timeZone),
    }),
    validate: ({ permissions, expiry, day }) => ({
      permissions: permissions.length === 0 && t('choose'),
      day: expiry === 'date' && day === null && t('chooseDay'),
    }),
    onDone: (secret, { permissions }) => onCreated({ ...secret, permissions }),
  });
  return (
    <Form of={form} submitLabel={t('create')} onCancel={onCancel}>
      <TextInput {...form.getInputProps('name')} label={t('name')} description={t('nameHint')} {...nameField} />
      <PermissionFields {...form.getInputProps('permissions')} value={form.values.permissions} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          {...form.getInputProps('expiry')}
          label={t('expiry')}
          data={expiries.map((value) => ({ value, label: t(value) }))}
          allowDeselect={false}
        />
        {form.values.expiry === 'date' && (
          <Suspense fallback={<Skeleton height={60} />}>
            <DateField
              {...form.getInputProps('day')}
              value={form.values.day}
              label={t('lastDate')}
              description={t('dayHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              minDate={new Date()}
            />
          </Suspense>
        )}
      </SimpleGrid>
    </Form>
  );
}

interface KeyProps extends DialogState {
  apiKey: ApiKey;
}

function EditForm({ apiKey, onClose }: Omit<KeyProps, 'opened'>) {
  const { t } = useReader(keyTexts);
  const form = useChangeForm({
    initial: { name: apiKey.name, permissions: [...(apiKey.requestedPermissions ?? apiKey.permissions)] },
    change: useUpdateKey(apiKey.username),
    input: ({ name, permissions }) => ({ name: name.trim(), permissions }),
    validate: ({ permissions }) => ({ permissions: permissions.length === 0 && t('choose') }),
    onDone: (_updated, { name }) => {
      notifyDone(t('saved', { name: name.trim() }));
      onClose();
    },
  });
  return (
    <Form of={form} submitLabel={t('save')} onCancel={onClose} inWords={{ 'not-found': t('gone') }}>
      <Text>{t('editHint')}</Text>
      <TextInput {...form.getInputProps('name')} label={t('name')} {...nameField} />
      <PermissionFields
        {...form.getInputProps('permissions')}
        value={form.values.permissions}
        current={apiKey.permissions}
      />
    </Form>
  );
}

/** Changes the name and the permissions of a key. */
export function EditModal({ apiKey, opened, onClose }: KeyProps) {
  const { t } = useReader(keyTexts);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('editTitle', { name: apiKey.name })} size="lg">
      <EditForm apiKey={apiKey} onClose={onClose} />
    </Dialog>
  );
}

export function RevokeModal({ apiKey: { name, username, lastUsedAt }, ...modal }: KeyProps) {
  const { t, formats } = useReader(texts);
  return (
    <ConfirmChange
      {...modal}
      change={useRevokeKey()}
      input={username}
      done={t('revoked', { name })}
      title={t('revokeTitle', { name })}
      confirmLabel={t('revokeSubmit')}
      inWords={{ 'not-found': t('gone') }}
      danger
    >
      <Stack gap="xs">
        <Code w="fit-content">{username}</Code>
        <span>{t('revokeText', { username })}</span>
        <strong>
          {lastUsedAt === null ? t('revokeUnused') : t('revokeUsed', { time: formats.relative(lastUsedAt, true) })}
        </strong>
      </Stack>
    </ConfirmChange>
  );
}
