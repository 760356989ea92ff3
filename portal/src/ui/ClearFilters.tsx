import { Button, type ButtonProps } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useCommonTexts } from '../app/i18n/common.ts';
import type { ListState } from './list-state.ts';

type Props = { list: ListState } & Pick<ButtonProps, 'mt' | 'size' | 'variant'>;

/** Removes the filters of a list. Renders nothing if there are none. */
export function ClearFilters({ list, ...props }: Props) {
  const t = useCommonTexts();
  if (!list.isFiltered) return null;
  return (
    <Button
      variant="default"
      w="fit-content"
      leftSection={<IconFilterOff size={16} aria-hidden />}
      onClick={() => list.clearFilters()}
      {...props}
    >
      {t('clearFilters')}
    </Button>
  );
}
