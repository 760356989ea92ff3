import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useCommonTexts } from '../app/i18n/common.ts';
import type { ColumnState } from './column-choice.ts';

/** Lets the user choose the columns of a table. Phones show few of them anyway. */
export function ColumnChoice({ choice }: { choice: ColumnState }) {
  const t = useCommonTexts();
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="compact-sm"
          visibleFrom="sm"
          leftSection={<IconColumns3 size={15} aria-hidden />}
        >
          {t('columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns')}>
        <Stack gap="xs">
          {choice.choices.map(({ id, header, isShown }) => (
            <Checkbox key={id} size="sm" label={header} checked={isShown} onChange={() => choice.toggle(id)} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
