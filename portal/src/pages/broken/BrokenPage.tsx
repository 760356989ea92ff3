import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { useCommonTexts } from '../../i18n/common.ts';

/** Shown when a page breaks. The usual cause is a chunk that a newer build has replaced, which a reload fixes. */
export function BrokenPage() {
  const t = useCommonTexts();
  const action = <Button onClick={() => window.location.reload()}>{t('reload')}</Button>;
  return <EmptyState icon={IconPlugConnectedX} title={t('brokenTitle')} hint={t('brokenHint')} actions={action} />;
}
