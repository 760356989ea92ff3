import { Group, VisuallyHidden } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { SubscriptionStatus } from '../../../../../src/domain/enums.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';

/** Renders the old and the new status. A status that does not change is shown once. */
export function Transition({ from, to }: { from: SubscriptionStatus; to: SubscriptionStatus }) {
  return (
    <Group gap={4} component="span">
      {from !== to && (
        <>
          <StatusBadge of="subscriptionStatus" word={from} />
          <IconArrowRight size={14} aria-hidden />
          <VisuallyHidden>→</VisuallyHidden>
        </>
      )}
      <StatusBadge of="subscriptionStatus" word={to} />
    </Group>
  );
}
