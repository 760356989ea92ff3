import { Checkbox, Stack } from '@mantine/core';
import { roles as allRoles, type Role } from '../../../../../src/domain/enums.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { texts } from './texts.ts';

interface Props {
  roles: readonly Role[];
  onChange(roles: Role[]): void;
}

/** Lists every role with what it may do, least powerful first. A user has at least one. */
export function RolesChoice({ roles, onChange }: Props) {
  const t = useTexts(texts);
  const words = useWords();
  return (
    <Checkbox.Group
      label={t('roles')}
      description={t('rolesHint')}
      error={roles.length === 0 && t('noRole')}
      value={[...roles]}
      onChange={(values) => onChange(allRoles.filter((role) => values.includes(role)))}
    >
      <Stack gap="sm" mt="xs">
        {allRoles.toReversed().map((one) => (
          <Checkbox key={one} value={one} label={words.role[one]} description={t(one)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
