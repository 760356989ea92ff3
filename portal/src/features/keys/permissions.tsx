import { Badge, Group, Tooltip } from '@mantine/core';
import { type Permission, permissions } from '../../../../src/domain/enums.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { useWords } from '../../app/i18n/words.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Expander } from '../../ui/layout.tsx';
import { texts } from './texts.ts';

/** Renders permissions in a fixed order, so that two keys can be compared at a glance. */
export function PermissionBadges({ of }: { of: readonly Permission[] }) {
  const words = useWords();
  return (
    <Group gap={4}>
      {permissions
        .filter((permission) => of.includes(permission))
        .map((permission) => (
          <Tooltip key={permission} label={words.permissionHint[permission]} multiline maw={280}>
            <Badge size="sm" color={permission.startsWith('view-') ? 'gray' : 'blue'}>
              {words.permission[permission]}
            </Badge>
          </Tooltip>
        ))}
    </Group>
  );
}

export function PermissionMeanings() {
  const { t, words } = useReader(texts);
  const facts = permissions.map((one) => [words.permission[one], words.permissionHint[one]] as const);
  return (
    <div>
      <Expander label={t('meaning')} size="sm">
        <Facts mt="sm" labelWidth={170} facts={facts} />
      </Expander>
    </div>
  );
}
