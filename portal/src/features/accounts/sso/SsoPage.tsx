import {
  Button,
  Card,
  Checkbox,
  Group,
  PasswordInput,
  Select,
  Skeleton,
  Stack,
  Switch,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import { type Role, roles } from '../../../../../src/domain/enums.ts';
import type { Sso } from '../../../../../src/features/accounts/sso/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { Page } from '../../../ui/Page.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { RoleGate } from '../../../ui/RoleGate.tsx';
import { useUsers } from '../users/api.ts';
import { useRemoveSso, useSso, useUpdateSso } from './api.ts';
import { Domains } from './Domains.tsx';
import { formatGroupRoles, parseGroupRoles } from './group-roles.ts';
import { texts } from './texts.ts';

function ConnectionForm({ connection, redirectUri }: Sso) {
  const t = useTexts(texts);
  const words = useWords();
  const update = useUpdateSso();
  const remove = useRemoveSso();
  const admins = (useUsers().data?.users ?? []).filter((user) => user.roles.includes('admin'));
  const [fields, setFields] = useState({
    issuer: connection?.issuer ?? '',
    clientId: connection?.clientId ?? '',
    clientSecret: '',
    groupsClaim: connection?.groupsClaim ?? 'groups',
    groupRoles: formatGroupRoles(connection?.groupRoles ?? []),
  });
  const [defaultRoles, setDefaultRoles] = useState<Role[]>(connection?.defaultRoles ?? ['viewer']);
  const [isEnforced, setEnforced] = useState(connection?.isEnforced ?? false);
  const [breakGlassUserId, setBreakGlass] = useState(connection?.breakGlassUserId ?? null);
  const groupRoles = parseGroupRoles(fields.groupRoles);
  const field = (name: keyof typeof fields) => ({
    label: t(name),
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFields((before) => ({ ...before, [name]: value }));
    },
  });
  const notify = (message: string) => () => notifications.show({ color: 'teal', message });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typeof groupRoles === 'number') return;
    const { issuer, clientId, clientSecret, groupsClaim } = fields;
    const body = { issuer: issuer.trim(), clientId: clientId.trim(), groupsClaim: groupsClaim.trim() };
    update.mutate(
      { ...body, clientSecret: clientSecret || null, defaultRoles, groupRoles, isEnforced, breakGlassUserId },
      { onSuccess: notify(t('saved')) },
    );
  };
  return (
    <Card>
      <form onSubmit={submit}>
        <Stack>
          <Title order={2}>{t('provider')}</Title>
          <TextInput label={t('redirectUri')} value={redirectUri} readOnly />
          <TextInput {...field('issuer')} description={t('issuerHint')} required withAsterisk={false} />
          <TextInput {...field('clientId')} required withAsterisk={false} />
          <PasswordInput {...field('clientSecret')} description={t('clientSecretHint')} autoComplete="off" />
          <Checkbox.Group
            label={t('defaultRoles')}
            description={t('defaultRolesHint')}
            value={defaultRoles}
            onChange={(values) => setDefaultRoles(roles.filter((role) => values.includes(role)))}
          >
            <Group gap="md" mt="xs">
              {roles.map((role) => (
                <Checkbox key={role} value={role} label={words.role[role]} />
              ))}
            </Group>
          </Checkbox.Group>
          <TextInput {...field('groupsClaim')} required withAsterisk={false} />
          <Textarea
            {...field('groupRoles')}
            description={t('groupRolesHint')}
            error={typeof groupRoles === 'number' && t('groupRolesWrong', { line: groupRoles })}
            autosize
            minRows={2}
          />
          <Switch
            label={t('isEnforced')}
            description={t('isEnforcedHint')}
            checked={isEnforced}
            onChange={(event) => setEnforced(event.currentTarget.checked)}
          />
          <Select
            label={t('breakGlass')}
            data={admins.map(({ id, name }) => ({ value: id, label: name }))}
            value={breakGlassUserId}
            onChange={setBreakGlass}
            clearable
          />
          <ProblemAlert error={update.error ?? remove.error} />
          <Group justify="space-between">
            <Button type="submit" loading={update.isPending} disabled={typeof groupRoles === 'number'}>
              {t('submit')}
            </Button>
            {connection && (
              <Button
                variant="subtle"
                color="red"
                loading={remove.isPending}
                onClick={() => remove.mutate(null, { onSuccess: notify(t('removed')) })}
              >
                {t('removeAll')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** A separate component, so that nothing is requested for a role that may not see it. */
function Content() {
  const { data, error, refetch } = useSso();
  if (data === undefined) {
    return error ? (
      <ProblemAlert error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={320} radius="md" />
    );
  }
  return (
    <Stack>
      <Domains domains={data.domains} />
      <ConnectionForm key={String(data.connection === null)} {...data} />
    </Stack>
  );
}

export function Component() {
  const t = useTexts(texts);
  return (
    <Page title={t('title')} description={t('description')}>
      <RoleGate ability="settings">
        <Content />
      </RoleGate>
    </Page>
  );
}
