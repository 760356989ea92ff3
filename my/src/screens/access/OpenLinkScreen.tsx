import { useEffect, useState } from 'react';
import { ApiProblem, post } from '../../api/call.ts';
import { useReader } from '../../reader.tsx';
import { navigate } from '../../router.tsx';
import { enter } from '../../state.ts';
import { Button, Loading, Problem, Screen, useAction } from '../../ui/parts.tsx';
import { hasAsked } from './asked.ts';
import { RefusedScreen } from './EnterScreen.tsx';

/** Opens a link that came by mail. */
export function OpenLinkScreen({ token }: { token: string }) {
  const { t, renderMessage } = useReader();
  const { run, isBusy, error } = useAction(async () => {
    await post('/access/open', { token });
    await enter();
    navigate('/', { replace: true });
  });
  const [isAutomatic] = useState(hasAsked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => {
    if (isAutomatic) void run();
  }, []);
  if (error instanceof ApiProblem && error.status < 429) {
    return <RefusedScreen title={t('linkGoneTitle')} text={renderMessage(error.explanation) ?? t('linkGoneText')} />;
  }
  if (isAutomatic && error === undefined) {
    return (
      <Screen title={t('openingTitle')} hint={t('openingText')}>
        <Loading />
      </Screen>
    );
  }
  return (
    <Screen title={t('readyTitle')} hint={t('readyText')}>
      <Problem error={error} />
      <Button label={t('continue')} isBusy={isBusy} onClick={() => void run()} />
    </Screen>
  );
}
