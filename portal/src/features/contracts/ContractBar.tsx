import { Card, Group, Menu, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { type RequestAction, requestActions } from '../../../../src/domain/enums.ts';
import type { DecideContractsBody } from '../../../../src/features/contracts/contract.ts';
import type { EmployeeSelection as EmployeesSelection } from '../../../../src/features/employees/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { SmallAction } from '../../ui/Action.tsx';
import { IconChevronUp } from '../../ui/icons.gen.ts';
import { usePrintLetters } from './api.ts';
import type { EmployeeSelection } from './selection.tsx';
import { texts } from './texts.ts';

// Loaded when they are opened.
const BatchModal = lazy(async () => ({ default: (await import('../subscriptions/BatchModal.tsx')).BatchModal }));
const DecideModal = lazy(async () => ({ default: (await import('./DecideModal.tsx')).DecideModal }));
const GroupModal = lazy(async () => ({ default: (await import('../employees/by-hand/GroupModal.tsx')).GroupModal }));
const InviteModal = lazy(async () => ({ default: (await import('../joining/InviteModal.tsx')).InviteModal }));
const LettersModal = lazy(async () => ({ default: (await import('../../ui/letters/LettersModal.tsx')).LettersModal }));
const LinksModal = lazy(async () => ({ default: (await import('./LinksModal.tsx')).LinksModal }));

type ContractDecision = DecideContractsBody['decision'];

interface ContractBarProps {
  selected: EmployeeSelection;
  /** How many employees match the filters. */
  total: number;
  /** The list of agreements offers to remind of open links, the list of employees what concerns subscriptions. */
  of: 'agreements' | 'employees';
}

/** What users do with the selected employees. It stays at the lower edge of the window. */
export function ContractBar({ selected, total, of }: ContractBarProps) {
  const { t } = useReader(texts);
  const [open, setOpen] = useState<
    ContractDecision | RequestAction | 'links' | 'reminders' | 'letters' | 'invite' | 'group'
  >();
  const { count, selection, isAll } = selected;
  const close = () => setOpen(undefined);
  const print = usePrintLetters();
  const plain = (label: string, onClick: () => void) => (
    <SmallAction variant="subtle" onClick={onClick} label={label} />
  );
  const agreements = [
    ['letters', t('printLetters')],
    ['links', t('sendLinks')],
    ['contract-rejected', t('rejected')],
    ['contract-accepted', t('accepted')],
  ] as const;
  const menu = (label: string, isMain: boolean, items: readonly (readonly [NonNullable<typeof open>, string])[]) => (
    <Menu position="top-end">
      <Menu.Target>
        <SmallAction variant={isMain ? 'filled' : 'default'} rightSection={<IconChevronUp size={14} />} label={label} />
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(([name, item]) => (
          <Menu.Item key={name} onClick={() => setOpen(name)}>
            {item}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
  const bar = (
    <Card padding="sm" role="region" aria-label={t('select')} className="selection-bar" shadow="md">
      <Group gap="xs">
        <Text fw={600} role="status">
          {t('selected', { count })}
        </Text>
        {!isAll && total > count && plain(t('selectAll', { count: total }), selected.selectAll)}
        {plain(t('clear'), selected.clear)}
        <Group gap="xs" ml="auto">
          {of === 'agreements' ? (
            <>
              <SmallAction onClick={() => setOpen('reminders')} label={t('remind')} />
              {agreements.map(([name, label]) => (
                <SmallAction
                  key={name}
                  variant={name === 'contract-accepted' ? 'filled' : 'default'}
                  onClick={() => setOpen(name)}
                  label={label}
                />
              ))}
            </>
          ) : (
            <>
              <SmallAction variant="default" onClick={() => setOpen('group')} label={t('group')} />
              {menu(t('agreement'), false, agreements)}
              {menu(t('subscription'), true, [
                ...requestActions.map((action) => [action, t(action)] as const),
                ['invite', t('invite')],
              ])}
            </>
          )}
        </Group>
      </Group>
    </Card>
  );
  const action = requestActions.find((one) => one === open);
  // Nobody matches the filter "pending" once all have been decided about. The result stays open.
  return (
    <>
      {count > 0 && bar}
      <Suspense>
        {(open === 'links' || open === 'reminders') && (
          <LinksModal selection={selection} isReminder={open === 'reminders'} onClose={close} />
        )}
        {open === 'letters' && (
          <LettersModal
            selection={selection}
            print={print}
            text={t('lettersText')}
            nobody={t('nobody')}
            onClose={close}
          />
        )}
        {(open === 'contract-accepted' || open === 'contract-rejected') && (
          <DecideModal decision={open} selection={selection} onClose={close} onDone={selected.clear} />
        )}
        {open === 'invite' && <InviteModal selection={selection as EmployeesSelection} onClose={close} />}
        {open === 'group' && (
          <GroupModal selection={selection as EmployeesSelection} onClose={close} onDone={selected.clear} />
        )}
        {action && (
          <BatchModal
            action={action}
            selection={selection as EmployeesSelection}
            onClose={close}
            onDone={selected.clear}
          />
        )}
      </Suspense>
    </>
  );
}
