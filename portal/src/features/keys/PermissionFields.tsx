import { Alert, Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Permission } from '../../../../src/domain/enums.ts';
import { useMe } from '../../app/api/me.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { isIncompleteForSync, isSet, type ReadySet, reading, readySets, writing } from './permission-sets.ts';
import { texts } from './texts.ts';

interface PermissionsProps {
  chosen: Permission[];
  onChange(chosen: Permission[]): void;
  error: string | false;
  /** What the key has already, which nobody has to approve. */
  current?: readonly Permission[];
}

/** Renders the choice of a key's permissions, with presets. */
export function PermissionFields({ chosen, onChange, error, current = [] }: PermissionsProps) {
  const t = useTexts(texts);
  const words = useWords();
  const grantable = useMe().data?.user.grantablePermissions ?? chosen;
  const waiting = chosen.filter((permission) => !grantable.includes(permission) && !current.includes(permission));
  const list = (title: string, permissions: readonly Permission[]) => (
    <Stack gap="sm" role="group" aria-label={title}>
      <Text size="xs" fw={600} c="dimmed">
        {title}
      </Text>
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
        <Text size="sm" fw={600} id="ready-sets">
          {t('sets')}
        </Text>
        <Group gap={6} mt={4} role="group" aria-labelledby="ready-sets">
          {(Object.keys(readySets) as ReadySet[]).map((set) => {
            const isChosen = isSet(readySets[set], chosen);
            return (
              <Button
                key={set}
                size="compact-sm"
                variant={isChosen ? 'light' : 'default'}
                aria-pressed={isChosen}
                onClick={() => onChange([...readySets[set]])}
              >
                {t(set)}
              </Button>
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
      {isIncompleteForSync(chosen) && (
        <Alert color="yellow" py="xs" role="status">
          {t('syncNeeds', { permission: words.permission['view-employees'] })}
        </Alert>
      )}
      {waiting.length > 0 && (
        <Alert color="yellow" py="xs" role="status">
          {t('needsApproval', { permissions: waiting.map((permission) => words.permission[permission]).join(', ') })}
        </Alert>
      )}
    </Stack>
  );
}
