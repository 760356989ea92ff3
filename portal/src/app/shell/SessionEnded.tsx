import { Group, Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { Action } from '../../ui/Action.tsx';
import { useMe } from '../api/me.ts';
import { useReader } from '../i18n/reader.ts';
import { signInAddress } from '../sign-in-address.ts';
import { sessionEnded } from './store.ts';

/**
 * Covers a page whose session has ended and keeps what was entered there. Signing in happens in another tab, so that
 * every way to sign in works. When the user returns as the same user, the page continues; another user gets a new page.
 */
export function SessionEnded() {
  const { t } = useReader();
  const me = useMe();
  const client = useQueryClient();
  const { pathname, search } = useLocation();
  const userId = me.data?.user.id;
  useEffect(() => {
    const check = async () => {
      if (document.visibilityState !== 'visible') return;
      const { data, isSuccess } = await me.refetch();
      if (!isSuccess) return;
      if (data.user.id !== userId) return window.location.reload();
      sessionEnded.set(false);
      await client.invalidateQueries();
    };
    window.addEventListener('focus', check);
    document.addEventListener('visibilitychange', check);
    return () => {
      window.removeEventListener('focus', check);
      document.removeEventListener('visibilitychange', check);
    };
  }, [client, me.refetch, userId]);
  const address = signInAddress(pathname + search);
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} title={t('sessionEndedTitle')}>
      <Text mb="lg">{t('sessionEnded')}</Text>
      <Group justify="flex-end" gap="xs">
        <Action href={address} variant="default" label={t('toSignIn')} />
        <Action href={address} target="_blank" data-autofocus label={t('signInInNewTab')} />
      </Group>
    </Modal>
  );
}
