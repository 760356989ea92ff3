import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { EmptyState } from '../../ui/Query.tsx';
import { useCommonTexts } from '../i18n/common.ts';

const reload = () => window.location.reload();

/**
 * Shown when a page breaks. The usual causes are a chunk that a newer build has replaced, which a reload fixes, and a
 * lost connection: the page comes back by itself together with it.
 */
export function BrokenPage() {
  const t = useCommonTexts();
  useEffect(() => {
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  return (
    <EmptyState
      icon={IconPlugConnectedX}
      title={t('brokenTitle')}
      hint={t(navigator.onLine ? 'brokenHint' : 'brokenOffline')}
      actions={<Button onClick={reload}>{t('reload')}</Button>}
    />
  );
}
