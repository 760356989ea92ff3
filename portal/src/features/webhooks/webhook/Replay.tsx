import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ConfirmModal } from '../../../ui/ConfirmModal.tsx';
import { WholeNumberInput } from '../../../ui/WholeNumberInput.tsx';
import { useReplayEvents } from '../api.ts';
import { texts } from './texts.ts';

const range = [1, Number.MAX_SAFE_INTEGER] as const;

/** Sends the events of a range again, after the user has entered it. */
export function Replay({ webhookId }: { webhookId: number }) {
  const t = useTexts(texts);
  const [opened, { open, close }] = useDisclosure(false);
  const [from, setFrom] = useState<number | null>();
  /** Null: no end. Undefined: not a number. */
  const [to, setTo] = useState<number | null | undefined>(null);
  const replay = useReplayEvents(webhookId);
  const isBackwards = from != null && to != null && to < from;
  const isWrong = to === undefined || isBackwards;
  const leave = () => {
    replay.reset();
    close();
  };
  const confirm = () => {
    if (from == null || isWrong) return;
    const onSuccess = ({ deliveries }: { deliveries: number }) => {
      leave();
      notifications.show({ color: 'teal', message: t('replayed', { count: deliveries }) });
    };
    replay.mutate({ from, to }, { onSuccess });
  };
  return (
    <>
      <Button variant="default" size="sm" leftSection={<IconRepeat size={16} aria-hidden />} onClick={open}>
        {t('replay')}
      </Button>
      <ConfirmModal
        opened={opened}
        onClose={leave}
        onConfirm={confirm}
        title={t('replayTitle')}
        confirmLabel={t('replaySubmit')}
        pending={replay.isPending}
        disabled={from == null || isWrong}
        error={replay.error}
        inWords={{ 'webhook-disabled': t('isDisabled'), 'not-found': t('gone') }}
      >
        <Stack>
          <Text size="sm">{t('replayText')}</Text>
          <SimpleGrid cols={2}>
            <WholeNumberInput range={range} label={t('from')} number={null} onNumber={setFrom} data-autofocus />
            <WholeNumberInput
              range={range}
              label={t('to')}
              number={null}
              onNumber={setTo}
              isOptional
              error={isBackwards && t('wrongRange')}
            />
          </SimpleGrid>
          <Text size="xs" c="dimmed">
            {t('toHint')}
          </Text>
        </Stack>
      </ConfirmModal>
    </>
  );
}
