import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ConfirmModal } from '../../../ui/ConfirmModal.tsx';
import { useConfirmedChange } from '../../../ui/confirmed-change.ts';
import { useDecideHeld } from '../../connectors/api.ts';
import { RemovalChoice } from './RemovalChoice.tsx';
import { texts } from './texts.ts';

type Decision = 'approved' | 'rejected';

interface Props {
  integrationId: number;
  sync: ExplainedSync;
  onShow(): void;
}

/**
 * Renders removals pending approval. To offboard employees, the user types their number, so that it does not happen by
 * accident. To keep them changes nothing.
 */
export function PendingRemovals({ integrationId, sync, onShow }: Props) {
  const t = useTexts(texts);
  const mayDecide = useAbility('removals');
  const [decision, setDecision] = useState<Decision>('approved');
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState<readonly number[] | null>(null);
  const { modalProps, execute } = useConfirmedChange(useDecideHeld(integrationId, sync.syncId), () => setOpened(false));
  const count = sync.counts.held;
  const isApproval = decision === 'approved';
  const openModal = (next: Decision) => {
    setDecision(next);
    setChosen(null);
    setOpened(true);
  };
  const decided = isApproval && chosen !== null ? chosen.length : count;
  const confirm = () =>
    execute(
      { decision, confirm: decided, ...(isApproval && chosen !== null ? { employeeIds: [...chosen] } : {}) },
      isApproval ? t('approved', { count: decided }) : t('rejected'),
    );
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
              <Button variant="default" onClick={() => openModal('approved')}>
                {t('approve')}
              </Button>
              <Button variant="default" onClick={() => openModal('rejected')}>
                {t('reject')}
              </Button>
            </>
          )}
          <Button variant="light" onClick={onShow}>
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
        title={t(isApproval ? 'approveTitle' : 'rejectTitle', { count: decided })}
        confirmLabel={t(isApproval ? 'approveConfirm' : 'rejectConfirm')}
        {...(isApproval ? { typed: String(decided) } : {})}
        disabled={decided === 0}
        danger={isApproval}
      >
        <Stack gap="sm">
          {isApproval && (
            <RemovalChoice integrationId={integrationId} sync={sync} chosen={chosen} onChange={setChosen} />
          )}
          <span>
            {t(isApproval ? 'approveText' : 'rejectText')} {isApproval && <strong>{t('irreversible')}</strong>}
          </span>
        </Stack>
      </ConfirmModal>
    </Card>
  );
}
