import { Alert, Button, Card, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { useMe } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { Page } from '../../../ui/layout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { useProveAddress } from '../memberships.ts';
import { texts } from './texts.ts';

export function Component() {
  const t = useTexts(texts);
  const { token = '' } = useParams();
  const email = useMe().data?.user.email ?? '';
  const prove = useProveAddress();
  return (
    <Page title={t('title')} description={t('description', { email })}>
      <Card maw={560}>
        <Stack align="flex-start">
          <ProblemAlert error={prove.error} inWords={{ 'not-found': t('wrong') }} />
          {prove.isSuccess ? (
            <>
              <Alert color="teal" role="status">
                {t('done')}
              </Alert>
              <Button component={Link} to="/account" variant="default">
                {t('toAccount')}
              </Button>
            </>
          ) : (
            <>
              <Text size="sm">{t('password')}</Text>
              <Button onClick={() => prove.mutate(token)} loading={prove.isPending}>
                {t('submit')}
              </Button>
            </>
          )}
        </Stack>
      </Card>
    </Page>
  );
}
