import { Button, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useAbility } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { Page } from '../../../ui/Page.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { RoleGate } from '../../../ui/RoleGate.tsx';
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx';
import { useUsers } from './api.ts';
import { Invitations } from './Invitations.tsx';
import { InviteModal } from './InviteModal.tsx';
import { texts } from './texts.ts';
import { UsersTable } from './UsersTable.tsx';

/** A separate component, so that the users are not requested for a role that may not see them. */
function Content() {
  const t = useTexts(texts);
  const { data, error, refetch } = useUsers();
  return (
    <>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data === undefined && !error && <RowsSkeleton rows={6} />}
      {data && (
        <>
          <UsersTable users={data.users} />
          <Stack component="section" gap="sm" aria-labelledby="invitations">
            <Title order={2} id="invitations">
              {t('invitations')}
            </Title>
            <Invitations invitations={data.invitations} />
          </Stack>
        </>
      )}
    </>
  );
}

export function Component() {
  const t = useTexts(texts);
  const mayInvite = useAbility('users');
  const [opened, { open, close }] = useDisclosure(false);
  const invite = mayInvite && (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
      {t('invite')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={invite}>
      <RoleGate ability="users">
        <Content />
        <InviteModal opened={opened} onClose={close} />
      </RoleGate>
    </Page>
  );
}
