import { Skeleton, Stack } from '@mantine/core';
import { useCommonTexts } from '../app/i18n/common.ts';
import { RowsSkeleton } from './RowsSkeleton.tsx';

/** Stands for a page that is being loaded: its heading, and rows. */
export function PageSkeleton() {
  const t = useCommonTexts();
  return (
    <Stack gap="lg" maw={1240} mx="auto" role="status" aria-label={t('loading')}>
      <Skeleton height={28} width={220} />
      <RowsSkeleton />
    </Stack>
  );
}
