import { Alert, Anchor, Loader, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useCommonTexts } from '../../../app/i18n/common.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useDelivery } from '../api.ts';
import { useAttemptError } from './attempt-error.ts';
import { texts } from './texts.ts';

interface Props {
  webhookId: number;
  /** The test event. */
  sequence: number;
  onShow(): void;
  onClose(): void;
}

/** Renders how a test event fares, from the moment it was requested. */
export function TestResult({ webhookId, sequence, onShow, onClose }: Props) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const { number } = useFormats();
  const describeError = useAttemptError();
  const { data } = useDelivery(webhookId, sequence);
  const isMade = data !== undefined && data.attempts > 0;
  const isSuccess = data?.state === 'succeeded';
  const error = describeError(data?.error ?? '');
  const text = !isMade
    ? t('testWaiting')
    : isSuccess
      ? t('testSucceeded', { status: String(data.status), duration: number(data.durationMs ?? 0) })
      : t(data.state === 'pending' ? 'testFailed' : 'testGaveUp', { error });
  return (
    <Alert
      role="status"
      color={!isMade ? 'blue' : isSuccess ? 'teal' : 'red'}
      icon={!isMade ? <Loader size={16} /> : isSuccess ? <IconCircleCheck size={18} /> : <IconCircleX size={18} />}
      title={t('testTitle')}
      withCloseButton
      closeButtonLabel={common('close')}
      onClose={onClose}
    >
      <Stack gap={4} align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {isMade && (
          <Anchor component="button" type="button" size="sm" onClick={onShow}>
            {t('showDelivery')}
          </Anchor>
        )}
      </Stack>
    </Alert>
  );
}
