import { useState } from 'react';
import type { RequestOutcomeView, UndoBody } from '../../../../src/features/subscriptions/my-contract.ts';
import type { Home } from '../../../../src/my/contract.ts';
import { post } from '../../api/call.ts';
import { useReader } from '../../reader.tsx';
import { Link } from '../../router.tsx';
import { refresh } from '../../state.ts';
import { Button, Card, Problem, Screen, Sentence, useAction } from '../../ui/parts.tsx';
import { Done } from './RequestScreen.tsx';

const texts = {
  subscribe: 'undoSubscribe',
  pause: 'undoPause',
  resume: 'undoResume',
  cancel: 'undoCancel',
} as const;

/** Takes the newest request back. */
export function UndoScreen({ home: { subscription } }: { home: Home }) {
  const { t, formats } = useReader();
  const [undo] = useState(subscription.undo);
  const [outcome, setOutcome] = useState<RequestOutcomeView>();
  const { run, isBusy, error } = useAction(async () => {
    if (undo === null) return;
    const result = await post<RequestOutcomeView>('/subscription/undo', {
      requestId: undo.requestId,
    } satisfies UndoBody);
    await refresh();
    setOutcome(result);
  });
  if (outcome !== undefined) {
    return (
      <Done title={t('doneUndo')}>
        <Sentence message={outcome.sentence} />
      </Done>
    );
  }
  if (undo === null) {
    return (
      <Screen title={t('undoPageTitle')} hint={t('noneToUndo')} back="/subscription">
        <Link to="/subscription" className="button primary">
          {t('doneBack')}
        </Link>
      </Screen>
    );
  }
  return (
    <Screen title={t('undoPageTitle')} hint={t(texts[undo.action])} back="/subscription">
      <Card>
        <p>{t('undoUntil', { date: formats.date(undo.until) })}</p>
        <Problem error={error} />
        <Button label={t('confirmUndo')} left="undo" isBusy={isBusy} onClick={() => void run()} />
      </Card>
    </Screen>
  );
}
