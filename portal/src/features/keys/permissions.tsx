import { Anchor, Badge, Collapse, Group, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type Permission, permissions } from '../../../../src/domain/enums.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { useWords } from '../../app/i18n/words.ts';
import { Facts } from '../../ui/Facts.tsx';
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
  const [opened, { toggle }] = useDisclosure(false);
  const Arrow = opened ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Anchor component="button" type="button" onClick={toggle} aria-expanded={opened}>
        <Group gap={4} wrap="nowrap">
          <Arrow size={15} aria-hidden /> {t('meaning')}
        </Group>
      </Anchor>
      <Collapse expanded={opened}>
        <Facts
          mt="sm"
          labelWidth={170}
          facts={permissions.map((one) => [words.permission[one], words.permissionHint[one]])}
        />
      </Collapse>
    </div>
  );
}
