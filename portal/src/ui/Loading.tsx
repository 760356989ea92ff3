import { Center, Loader } from '@mantine/core';
import { useCommonTexts } from '../app/i18n/common.ts';

/** `height`: about that of what comes, so that nothing below moves. */
export function Loading({ height = 200 }: { height?: number }) {
  const t = useCommonTexts();
  return (
    <Center mih={height} role="status" aria-label={t('loading')}>
      <Loader size="sm" />
    </Center>
  );
}
