import { Group } from '@mantine/core';
import type { Role } from '../../../../../src/domain/enums.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';

export function RoleBadges({ roles }: { roles: readonly Role[] }) {
  return (
    <Group gap={4}>
      {roles.map((role) => (
        <StatusBadge key={role} of="role" word={role} />
      ))}
    </Group>
  );
}
