import { Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useParams } from 'react-router';
import type { FinishSsoBody } from '../../../../../src/features/accounts/sso/contract.ts';
import { post } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { AuthLayout } from '../../../app/shell/AuthLayout.tsx';
import { Action } from '../../../ui/Action.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Loading } from '../../../ui/Query.tsx';
import { texts } from './texts.ts';

/** Where the identity provider sends the browser back to. */
export function Component() {
  const { t } = useReader(texts);
  const client = useQueryClient();
  const { mutate, error } = useMutation({
    mutationFn: (body: FinishSsoBody) => post<void, FinishSsoBody>('/auth/sso/finish', body),
    onSuccess: () => client.clear(),
    meta: { public: true },
  });
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
    <AuthLayout title={t('ssoName')} hint={error === null ? t('wait') : undefined}>
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
