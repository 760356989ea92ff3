import '../../../ui/records/records.css';
import {
  Badge,
  Card,
  Checkbox,
  Group,
  PasswordInput,
  Select,
  Skeleton,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { type Role, roles } from '../../../../../src/domain/enums.ts';
import type { DomainBody, Sso, SsoBody } from '../../../../../src/features/accounts/sso/contract.ts';
import { useChange, useGet, usePost } from '../../../app/api/queries.ts';
import { at, post, remove } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action } from '../../../ui/Action.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { Page } from '../../../ui/layout.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Query, RoleGate } from '../../../ui/Query.tsx';
import { Small } from '../../../ui/text.tsx';
import { useUsers } from '../api.ts';
import { texts } from './texts.ts';

const touched = ['sso', 'activity'];

function DomainRow({ domain: { domain, isProven, recordName, recordValue } }: { domain: Sso['domains'][number] }) {
  const { t } = useReader(texts);
  const check = useChange(() => post<Sso>(at`/sso/domains/${domain}/check`), touched);
  const removal = useChange(() => remove(at`/sso/domains/${domain}`), touched);
  return (
    <Stack gap={4} component="li">
      <Group gap="xs">
        <Text fw={600}>{domain}</Text>
        <Badge color={isProven ? 'teal' : 'orange'}>{t(isProven ? 'proven' : 'unproven')}</Badge>
        {!isProven && (
          <Action
            size="compact-xs"
            variant="light"
            onClick={() => check.mutate()}
            loading={check.isPending}
            label={t('check')}
          />
        )}
        <Action
          size="compact-xs"
          variant="subtle"
          color="red"
          aria-label={t('removeOf', { domain })}
          onClick={() => removal.mutate()}
          loading={removal.isPending}
          label={t('remove')}
        />
      </Group>
      {!isProven && (
        <Small style={{ overflowWrap: 'anywhere' }}>{t('record', { name: recordName, value: recordValue })}</Small>
      )}
      <ProblemAlert error={check.error ?? removal.error} />
    </Stack>
  );
}

function Domains({ domains }: Pick<Sso, 'domains'>) {
  const { t } = useReader(texts);
  const form = useChangeForm({
    initial: { domain: '' },
    change: usePost<Sso, DomainBody>('/sso/domains', touched),
    input: (values) => values,
    onDone: () => form.reset(),
  });
  return (
    <Card>
      <Stack>
        <Title order={2}>{t('domains')}</Title>
        <Text>{t('domainsHint')}</Text>
        <Stack component="ul" className="plain-list" gap="sm">
          {domains.map((one) => (
            <DomainRow key={one.domain} domain={one} />
          ))}
        </Stack>
        <Form of={form}>
          <Group align="flex-start" gap="xs">
            <TextInput {...form.field('domain', t('domain'))} required maxLength={253} placeholder="example.com" />
            <Action type="submit" variant="light" loading={form.isPending} mt={24} label={t('addDomain')} />
          </Group>
        </Form>
      </Stack>
    </Card>
  );
}

type GroupRoles = SsoBody['groupRoles'];

/** Writes one line per group, such as `people-team: hr, payroll`. */
const formatGroupRoles = (list: GroupRoles) =>
  list.map(({ group, roles: given }) => `${group}: ${given.join(', ')}`).join('\n');

/** Reads the lines. Returns the number of the first wrong line instead, if there is one. */
function parseGroupRoles(text: string): GroupRoles | number {
  const result: GroupRoles = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, group = '', listed = ''] = /^(.*):([^:]*)$/.exec(line) ?? [];
    const given = listed.split(',').map((one) => one.trim());
    const known = given.filter((one): one is Role => roles.some((role) => role === one));
    if (group.trim() === '' || known.length !== given.length) return index + 1;
    result.push({ group: group.trim(), roles: [...new Set(known)] });
  }
  return result;
}

function ConnectionForm({ connection, redirectUri }: Sso) {
  const { t, words } = useReader(texts);
  const removal = useChange(() => remove('/sso'), touched);
  const admins = (useUsers().data?.users ?? []).filter((user) => user.roles.includes('admin'));
  const form = useChangeForm({
    initial: {
      issuer: connection?.issuer ?? '',
      clientId: connection?.clientId ?? '',
      clientSecret: '',
      groupsClaim: connection?.groupsClaim ?? 'groups',
      groupRoles: formatGroupRoles(connection?.groupRoles ?? []),
      defaultRoles: connection?.defaultRoles ?? (['viewer'] as Role[]),
      isEnforced: connection?.isEnforced ?? false,
      breakGlassUserId: connection?.breakGlassUserId ?? null,
    },
    change: usePost<Sso, SsoBody>('/sso', touched),
    input: ({ issuer, clientId, clientSecret, groupsClaim, defaultRoles, ...rest }) => ({
      ...rest,
      issuer: issuer.trim(),
      clientId: clientId.trim(),
      clientSecret: clientSecret || null,
      groupsClaim: groupsClaim.trim(),
      defaultRoles: roles.filter((role) => defaultRoles.includes(role)),
      groupRoles: typeof parsed === 'number' ? [] : parsed,
    }),
    onDone: () => notifyDone(t('saved')),
  });
  const parsed = parseGroupRoles(form.values.groupRoles);
  const remover = connection && (
    <Action
      variant="subtle"
      color="red"
      ml="auto"
      loading={removal.isPending}
      onClick={() => removal.mutate(undefined, { onSuccess: () => notifyDone(t('removed')) })}
      label={t('removeAll')}
    />
  );
  return (
    <Card>
      <Form of={form} submitLabel={t('submit')} disabled={typeof parsed === 'number'} beside={remover}>
        <Title order={2}>{t('provider')}</Title>
        <TextInput label={t('redirectUri')} value={redirectUri} readOnly />
        <TextInput {...form.field('issuer', t('issuer'))} description={t('issuerHint')} required />
        <TextInput {...form.field('clientId', t('clientId'))} required />
        <PasswordInput
          {...form.field('clientSecret', t('clientSecret'))}
          description={t('clientSecretHint')}
          autoComplete="off"
        />
        <Checkbox.Group
          {...form.getInputProps('defaultRoles')}
          label={t('defaultRoles')}
          description={t('defaultRolesHint')}
        >
          <Group gap="md" mt="xs">
            {roles.map((role) => (
              <Checkbox key={role} value={role} label={words.role[role]} />
            ))}
          </Group>
        </Checkbox.Group>
        <TextInput {...form.field('groupsClaim', t('groupsClaim'))} required />
        <Textarea
          {...form.field('groupRoles', t('groupRoles'))}
          description={t('groupRolesHint')}
          {...(typeof parsed === 'number' ? { error: t('groupRolesWrong', { line: parsed }) } : {})}
          autosize
          minRows={2}
        />
        <Switch
          {...form.getInputProps('isEnforced', { type: 'checkbox' })}
          label={t('isEnforced')}
          description={t('isEnforcedHint')}
        />
        <Select
          {...form.field('breakGlassUserId', t('breakGlass'))}
          data={admins.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
        />
        <ProblemAlert error={removal.error} />
      </Form>
    </Card>
  );
}

/** A separate component, so that nothing is requested for a role that may not see it. */
function Content() {
  return (
    <Query of={useGet<Sso>(['sso'], '/sso')} skeleton={<Skeleton height={320} radius="md" />}>
      {(sso) => (
        <Stack>
          <Domains domains={sso.domains} />
          <ConnectionForm key={String(sso.connection === null)} {...sso} />
        </Stack>
      )}
    </Query>
  );
}

export function Component() {
  const { t } = useReader(texts);
  return (
    <Page title={t('sso')} description={t('description')}>
      <RoleGate ability="settings">
        <Content />
      </RoleGate>
    </Page>
  );
}
