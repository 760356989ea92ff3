import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRefresh } from '@tabler/icons-react';
import type { HrIntegration } from '../../../../../src/features/connectors/contract.ts';
import { ApiProblem } from '../../../app/api/request.ts';
import { useCommonTexts } from '../../../app/i18n/common.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ProblemText } from '../../../ui/MessageText.tsx';
import { isPulling, useConnection, useRequestPull } from '../connections.ts';
import { texts } from './texts.ts';

/** Reads the roster from the HR system now, instead of at the nightly time. */
export function SyncNow({ integration: { id } }: { integration: HrIntegration }) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const connection = useConnection(id).data;
  const request = useRequestPull(id);
  if (connection === undefined || connection.provider === null) return null;
  const isBusy = connection.pull !== null && isPulling(connection.pull) && connection.pull.kind !== 'preview';
  const start = () =>
    request.mutate(
      { kind: 'manual' },
      {
        onSuccess: () => notifications.show({ color: 'teal', message: t('syncStarted') }),
        onError: (error) =>
          notifications.show({
            color: 'red',
            message: error instanceof ApiProblem ? <ProblemText problem={error} /> : common('offline'),
          }),
      },
    );
  return (
    <Button
      leftSection={<IconRefresh size={16} aria-hidden />}
      onClick={start}
      loading={request.isPending}
      disabled={isBusy}
    >
      {t('syncNow')}
    </Button>
  );
}
