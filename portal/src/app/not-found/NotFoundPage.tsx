import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Page } from '../../ui/layout.tsx';
import { EmptyState } from '../../ui/Query.tsx';
import { useCommonTexts } from '../i18n/common.ts';

export function Component() {
  const t = useCommonTexts();
  const action = (
    <Button component={Link} to="/" variant="light">
      {t('toOverview')}
    </Button>
  );
  return (
    <Page title={t('notFoundTitle')}>
      <EmptyState icon={IconMapQuestion} title="404" hint={t('notFoundHint')} actions={action} />
    </Page>
  );
}
