import { Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useParams } from 'react-router';
import { useReader } from '../../../app/i18n/reader.ts';
import { AuthLayout } from '../../../app/shell/AuthLayout.tsx';
import { Action } from '../../../ui/Action.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Loading } from '../../../ui/Query.tsx';
import { useFinishSso } from '../sso/api.ts';
import { texts } from './texts.ts';

/** Where the identity provider sends the browser back to. */
export function Component() {
  const { t } = useReader(texts);
  const { mutate, error } = useFinishSso();
  const { connection } = useParams();
  const isSent = useRef(false);
  useEffect(() => {
    // The response of the provider works once, and strict mode runs effects twice.
    if (isSent.current) return;
    isSent.current = true;
    const body = { connection: Number(connection) || null, query: window.location.search || '?' };
    mutate(body, { onSuccess: () => window.location.replace('/') });
  }, [mutate, connection]);
  return (
    <AuthLayout title={t('sso')} hint={error === null ? t('wait') : undefined}>
      {error === null ? (
        <Loading />
      ) : (
        <Stack>
          <ProblemAlert error={error} />
          <Action href="/sign-in" variant="default" label={t('toSignIn')} />
        </Stack>
      )}
    </AuthLayout>
  );
}
