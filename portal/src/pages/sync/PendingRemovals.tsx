import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useDecideHeld } from '../../api/integrations.ts';
import { useAbility } from '../../api/me.ts';
import type { Sync } from '../../api/types.gen.ts';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { useConfirmedChange } from '../../components/confirmed-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

type Decision = 'approved' | 'rejected';

interface Props {
  integrationId: number;
  sync: Sync;
  onShow(): void;
}

/**
 * Renders removals pending approval. The user types the number of removals to decide, so that no decision is made by
 * accident.
 */
export function PendingRemovals({ integrationId, sync, onShow }: Props) {
  const t = useTexts({ en, de });
  const mayDecide = useAbility('syncs');
  const [decision, setDecision] = useState<Decision>('approved');
  const [opened, setOpened] = useState(false);
  const { modalProps, execute } = useConfirmedChange(useDecideHeld(integrationId, sync.syncId), () => setOpened(false));
  const count = sync.counts.held;
  const isApproval = decision === 'approved';
  const openModal = (next: Decision) => {
    setDecision(next);
    setOpened(true);
  };
  const confirm = () => execute({ decision, confirm: count }, isApproval ? t('approved', { count }) : t('rejected'));
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
              <Button onClick={() => openModal('approved')}>{t('approve')}</Button>
              <Button variant="default" onClick={() => openModal('rejected')}>
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
        {...modalProps}
        opened={opened}
        onConfirm={confirm}
        title={t(isApproval ? 'approveTitle' : 'rejectTitle', { count })}
        confirmLabel={t(isApproval ? 'approveConfirm' : 'rejectConfirm')}
        typed={String(count)}
        danger={isApproval}
      >
        {t(isApproval ? 'approveText' : 'rejectText')}
      </ConfirmModal>
    </Card>
  );
}
