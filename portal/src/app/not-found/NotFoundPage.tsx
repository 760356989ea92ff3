import { Action } from '../../ui/Action.tsx';
import { IconMapQuestion } from '../../ui/icons.gen.ts';
import { Page } from '../../ui/layout.tsx';
import { EmptyState } from '../../ui/Query.tsx';
import { useReader } from '../i18n/reader.ts';

export function Component() {
  const { t } = useReader();
  const action = <Action to="/" variant="light" label={t('toOverview')} />;
  return (
    <Page title={t('notFoundTitle')}>
      <EmptyState icon={IconMapQuestion} title="404" hint={t('notFoundHint')} actions={action} />
    </Page>
  );
}
