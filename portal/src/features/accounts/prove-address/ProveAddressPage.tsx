import { Card, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { useMe } from '../../../app/api/me.ts';
import { useChange } from '../../../app/api/queries.ts';
import { at, post } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, Notice } from '../../../ui/Action.tsx';
import { Page } from '../../../ui/layout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { texts } from './texts.ts';

export function Component() {
  const { t } = useReader(texts);
  const { token = '' } = useParams();
  const email = useMe().data?.user.email ?? '';
  const prove = useChange(() => post<void>(at`/auth/prove-address/${token}`), ['memberships']);
  return (
    <Page title={t('title')} description={t('description', { email })}>
      <Card maw={560}>
        <Stack align="flex-start">
          <ProblemAlert error={prove.error} inWords={{ 'not-found': t('wrong') }} />
          {prove.isSuccess ? (
            <>
              <Notice color="teal" role="status" text={t('done')} />
              <Action to="/account" variant="default" label={t('toAccount')} />
            </>
          ) : (
            <>
              <Text>{t('password')}</Text>
              <Action onClick={() => prove.mutate()} loading={prove.isPending} label={t('submit')} />
            </>
          )}
        </Stack>
      </Card>
    </Page>
  );
}
