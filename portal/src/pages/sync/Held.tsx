import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Sync } from '../../../../src/hr-integrations/sync/schema.ts';
import { useDecideHeld } from '../../api/integrations.ts';
import { useAbility } from '../../api/me.ts';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

type Decision = 'approved' | 'rejected';

interface Props {
  integrationId: number;
  sync: Sync;
  onShow(): void;
}

/** Removals that wait. Whoever decides types how many they are, so that nobody does it by a slip. */
export function Held({ integrationId, sync, onShow }: Props) {
  const t = useTexts({ en, de });
  const mayDecide = useAbility('syncs');
  const decide = useDecideHeld(integrationId, sync.syncId);
  const [decision, setDecision] = useState<Decision>('approved');
  const [opened, setOpened] = useState(false);
  const count = sync.counts.held;
  const isApproval = decision === 'approved';
  const ask = (next: Decision) => {
    decide.reset();
    setDecision(next);
    setOpened(true);
  };
  const leave = () => setOpened(false);
  // Awaited rather than called back: once it is decided this card goes, and its callbacks with it.
  const confirm = async () => {
    await decide.mutateAsync({ decision, confirm: count });
    leave();
    const message = isApproval ? t('approved', { count }) : t('rejected');
    notifications.show({ message, color: 'teal' });
  };
  return (
    <Card component="section" className="waiting" aria-labelledby="held">
      <Stack gap="sm">
        <Title order={2} id="held">
          {t('heldTitle', { count })}
        </Title>
        <Text size="sm" maw={720}>
          {t('heldText')}
        </Text>
        <Group gap="xs">
          {mayDecide && (
            <>
              <Button onClick={() => ask('approved')}>{t('approve')}</Button>
              <Button variant="default" onClick={() => ask('rejected')}>
                {t('reject')}
              </Button>
            </>
          )}
          <Button variant="subtle" onClick={onShow}>
            {t('heldShow')}
          </Button>
          {!mayDecide && (
            <Text size="sm" c="dimmed">
              {t('mayNotDecide')}
            </Text>
          )}
        </Group>
      </Stack>
      <ConfirmModal
        opened={opened}
        onClose={leave}
        onConfirm={() => void confirm().catch(() => {})}
        title={t(isApproval ? 'approveTitle' : 'rejectTitle', { count })}
        confirmLabel={t(isApproval ? 'approveConfirm' : 'rejectConfirm')}
        typed={String(count)}
        danger={isApproval}
        pending={decide.isPending}
        error={decide.error}
      >
        {t(isApproval ? 'approveText' : 'rejectText')}
      </ConfirmModal>
    </Card>
  );
}
