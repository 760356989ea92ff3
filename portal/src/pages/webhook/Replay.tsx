import { Button, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { useReplayEvents } from '../../api/webhooks.ts';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

const toNumber = (value: number | string) => (value === '' ? undefined : Number(value));

/** Sends the events of a range again, after the user has entered it. */
export function Replay({ webhookId }: { webhookId: number }) {
  const t = useTexts({ en, de });
  const [opened, { open, close }] = useDisclosure(false);
  const [from, setFrom] = useState<number>();
  const [to, setTo] = useState<number>();
  const replay = useReplayEvents(webhookId);
  const isWrong = from !== undefined && to !== undefined && to < from;
  const leave = () => {
    replay.reset();
    close();
  };
  const confirm = () => {
    if (from === undefined || isWrong) return;
    const onSuccess = ({ deliveries }: { deliveries: number }) => {
      leave();
      notifications.show({ color: 'teal', message: t('replayed', { count: deliveries }) });
    };
    replay.mutate({ from, to: to ?? null }, { onSuccess });
  };
  const shared = {
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    allowDecimal: false,
    allowNegative: false,
    hideControls: true,
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
        disabled={from === undefined || isWrong}
        error={replay.error}
        inWords={{ 'webhook-disabled': t('isDisabled'), 'not-found': t('gone') }}
      >
        <Stack>
          <Text size="sm">{t('replayText')}</Text>
          <SimpleGrid cols={2}>
            <NumberInput
              {...shared}
              label={t('from')}
              value={from ?? ''}
              onChange={(value) => setFrom(toNumber(value))}
              data-autofocus
            />
            <NumberInput
              {...shared}
              label={t('to')}
              value={to ?? ''}
              onChange={(value) => setTo(toNumber(value))}
              error={isWrong && t('wrongRange')}
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
