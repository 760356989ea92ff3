import { Button, Group, Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useMe } from '../api/me.ts';
import { useCommonTexts } from '../i18n/common.ts';
import { signInAddress } from '../sign-in-address.ts';
import { setSessionEnded } from './session-ended.ts';

/**
 * Covers a page whose session has ended and keeps what was entered there. Signing in happens in another tab, so that
 * every way to sign in works. When the user returns as the same user, the page continues; another user gets a new page.
 */
export function SessionEnded() {
  const t = useCommonTexts();
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
      setSessionEnded(false);
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
      <Text size="sm" mb="lg">
        {t('sessionEnded')}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button component="a" href={address} variant="default">
          {t('toSignIn')}
        </Button>
        <Button component="a" href={address} target="_blank" data-autofocus>
          {t('signInInNewTab')}
        </Button>
      </Group>
    </Modal>
  );
}
