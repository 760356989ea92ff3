import { Button, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useParams } from 'react-router';
import { useTexts } from '../../../app/i18n/texts.ts';
import { AuthLayout } from '../../../app/shell/AuthLayout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Loading } from '../../../ui/Query.tsx';
import { useFinishSso } from '../sso/api.ts';
import { texts } from './texts.ts';

/** Where the identity provider sends the browser back to. */
export function Component() {
  const t = useTexts(texts);
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
    <AuthLayout title={t('title')} hint={error === null ? t('wait') : undefined}>
      {error === null ? (
        <Loading />
      ) : (
        <Stack>
          <ProblemAlert error={error} />
          <Button component="a" href="/sign-in" variant="default">
            {t('toSignIn')}
          </Button>
        </Stack>
      )}
    </AuthLayout>
  );
}
