import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../api/me.ts';
import { useRemovePerson, useSetRole } from '../../api/people.ts';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { useConfirmedChange } from '../../components/confirmed-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useWords } from '../../i18n/words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { Person } from './PeopleTable.tsx';
import { RoleChoice } from './RoleChoice.tsx';

interface Props {
  person: Person;
  opened: boolean;
  onClose(): void;
}

function useRefusals() {
  const t = useTexts({ en, de });
  return { 'last-admin': t('lastAdmin'), 'not-found': t('goneMeanwhile') };
}

export function RoleModal({ person, opened, onClose }: Props) {
  const t = useTexts({ en, de });
  const words = useWords();
  const refusals = useRefusals();
  const { asked, carryOut } = useConfirmedChange(useSetRole(), onClose);
  const isOwn = useMe().data?.person.id === person.id;
  const [role, choose] = useState(person.role);
  const { name } = person;
  return (
    <ConfirmModal
      {...asked}
      opened={opened}
      onConfirm={() => carryOut({ id: person.id, role }, t('roleDone', { name, role: words.role[role] }))}
      title={t('roleTitle', { name })}
      confirmLabel={t('roleSubmit')}
      disabled={role === person.role}
      inWords={refusals}
    >
      <Stack>
        <RoleChoice role={role} onChange={choose} />
        {isOwn && role !== person.role && (
          <Text size="sm" fw={600} role="status">
            {t('roleOwn')}
          </Text>
        )}
      </Stack>
    </ConfirmModal>
  );
}

export function RemoveModal({ person, opened, onClose }: Props) {
  const t = useTexts({ en, de });
  const refusals = useRefusals();
  const { asked, carryOut } = useConfirmedChange(useRemovePerson(), onClose);
  const isOwn = useMe().data?.person.id === person.id;
  const { name, email } = person;
  return (
    <ConfirmModal
      {...asked}
      opened={opened}
      onConfirm={() => carryOut(person.id, t('removed', { name }))}
      title={t('removeTitle', { name })}
      confirmLabel={t('removeSubmit')}
      inWords={refusals}
      danger
    >
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('removeText', { email })}
        </Text>
        {isOwn && (
          <Text size="sm" fw={600}>
            {t('removeOwn')}
          </Text>
        )}
      </Stack>
    </ConfirmModal>
  );
}
