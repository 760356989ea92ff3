import { Button, Card, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../app/i18n/texts.ts';
import { type ContractDecision, DecideModal } from './DecideModal.tsx';
import { LinksModal } from './LinksModal.tsx';
import type { EmployeeSelection } from './selection.tsx';
import { texts } from './texts.ts';

interface Props {
  selected: EmployeeSelection;
  /** How many employees match the filters. Undefined while they are being loaded. */
  total: number | undefined;
  pageIds: readonly number[];
}

/** Offers what can be done with the contracts of the selected employees. */
export function ContractBar({ selected, total, pageIds }: Props) {
  const t = useTexts(texts);
  const [open, setOpen] = useState<ContractDecision | 'links'>();
  const { count, selection, isAll } = selected;
  const close = () => setOpen(undefined);
  const bar = (
    // While employees are being loaded, it only takes its place, so that the table does not move.
    <Card
      padding="sm"
      role="region"
      aria-label={t('select')}
      style={total === undefined ? { visibility: 'hidden' } : {}}
    >
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {t('selected', { count })}
        </Text>
        {!isAll && (
          <Button size="compact-sm" variant="subtle" onClick={() => selected.add(pageIds)}>
            {t('selectPage')}
          </Button>
        )}
        {!isAll && (
          <Button size="compact-sm" variant="subtle" onClick={selected.selectAll}>
            {t('selectAll', { count: total ?? 0 })}
          </Button>
        )}
        {count > 0 && (
          <>
            <Button size="compact-sm" variant="subtle" onClick={selected.clear}>
              {t('clear')}
            </Button>
            <Group gap="xs" ml="auto">
              <Button size="compact-sm" variant="default" onClick={() => setOpen('links')}>
                {t('links')}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => setOpen('contract-rejected')}>
                {t('rejected')}
              </Button>
              <Button size="compact-sm" onClick={() => setOpen('contract-accepted')}>
                {t('accepted')}
              </Button>
            </Group>
          </>
        )}
      </Group>
    </Card>
  );
  // Nobody matches the filter "pending" once all have been decided about. The result stays open.
  return (
    <>
      {total !== 0 && bar}
      {open === 'links' && <LinksModal selection={selection} onClose={close} />}
      {open !== undefined && open !== 'links' && (
        <DecideModal decision={open} selection={selection} onClose={close} onDone={selected.clear} />
      )}
    </>
  );
}
