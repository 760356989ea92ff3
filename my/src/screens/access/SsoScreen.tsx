import { useEffect } from 'react';
import type { FinishSsoBody } from '../../../../src/features/accounts/sso/contract.ts';
import { post } from '../../api/call.ts';
import { useReader } from '../../reader.tsx';
import { navigate } from '../../router.tsx';
import { enter } from '../../state.ts';
import { Loading, Screen, useAction } from '../../ui/parts.tsx';
import { RefusedScreen } from './EnterScreen.tsx';

/** Finishes a sign-in with which the company's identity provider sends the browser back. */
export function SsoScreen({ connection, query }: { connection: number; query: string }) {
  const { t } = useReader();
  const { run, error } = useAction(async () => {
    await post('/access/sso/finish', { connection, query: query || '?' } satisfies FinishSsoBody);
    await enter();
    navigate('/', { replace: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => {
    void run();
  }, []);
  if (error !== undefined) return <RefusedScreen title={t('ssoFailedTitle')} text={t('ssoFailedText')} />;
  return (
    <Screen title={t('openingTitle')} hint={t('openingText')}>
      <Loading />
    </Screen>
  );
}
