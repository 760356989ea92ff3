import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Action } from '../../ui/Action.tsx';
import { EmptyState } from '../../ui/Query.tsx';
import { useReader } from '../i18n/reader.ts';

const reload = () => window.location.reload();

/**
 * Shown when a page breaks. The usual causes are a chunk that a newer build has replaced, which a reload fixes, and a
 * lost connection: the page comes back by itself together with it.
 */
export function BrokenPage() {
  const { t } = useReader();
  useEffect(() => {
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  return (
    <EmptyState
      icon={IconPlugConnectedX}
      title={t('brokenTitle')}
      hint={t(navigator.onLine ? 'brokenHint' : 'brokenOffline')}
      actions={<Action onClick={reload} label={t('reload')} />}
    />
  );
}
