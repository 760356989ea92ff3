import { Center, Loader } from '@mantine/core';
import { useCommonTexts } from '../i18n/common.ts';

export function Loading() {
  const t = useCommonTexts();
  return (
    <Center mih={200} role="status" aria-label={t('loading')}>
      <Loader size="sm" />
    </Center>
  );
}
