import { Button, Menu } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useRef } from 'react';
import type { Decision } from '../../../../../src/domain/subscription/transitions.ts';
import type { EmployeeDetails } from '../../../../../src/features/employees/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { type DialogState, useDialog } from '../../../ui/Dialog.tsx';
import { IconChevronDown } from '../../../ui/icons.gen.ts';
import { isInRoster } from '../by-hand/source.ts';
import { texts as handTexts } from '../by-hand/texts.ts';
import { useDecisionTexts } from './decision.tsx';
import { texts } from './texts.ts';

/** In the order of the menu. The type makes sure that no decision is missing. */
const everyDecision = {
  'contract-accepted': true,
  subscribe: true,
  resume: true,
  pause: true,
  'contract-rejected': true,
  cancel: true,
} satisfies Record<Decision, true>;

/** Loaded when one is opened. */
const DecisionModal = lazy(async () => ({ default: (await import('./DecisionModal.tsx')).DecisionModal }));
const load = () => import('../by-hand/ByHand.tsx');
const EditEmployee = lazy(async () => ({ default: (await load()).EditEmployee }));
const EnterExit = lazy(async () => ({ default: (await load()).EnterExit }));
const EnterAbsence = lazy(async () => ({ default: (await load()).EnterAbsence }));
const RemoveEmployee = lazy(async () => ({ default: (await load()).RemoveEmployee }));

/**
 * Lists the decisions for the user, the possible ones first. Each of the others explains why it is not possible now. What
 * the user may enter about the employee follows.
 */
export function Decisions({ details }: { details: EmployeeDetails }) {
  const { t } = useReader(texts);
  const { t: hand } = useReader(handTexts);
  const mayDecide = useAbility('decisions');
  const { show, dialog } = useDialog();
  const button = useRef<HTMLButtonElement>(null);
  const { id, firstName, lastName } = details.employee;
  const name = `${firstName} ${lastName}`;
  const textsOf = useDecisionTexts(name);
  if (!mayDecide) return null;
  const all = Object.keys(everyDecision) as Decision[];
  const possible = all.filter((one) => details.decisions.includes(one));
  const impossible = all.filter((one) => !details.decisions.includes(one));
  const close = (closeDialog: () => void) => {
    closeDialog();
    // The menu item that had the focus before no longer exists.
    button.current?.focus();
  };
  const open = (render: (dialog: DialogState) => ReactNode) =>
    show(({ opened, onClose }) => <Suspense>{render({ opened, onClose: () => close(onClose) })}</Suspense>);
  const byHand = [
    ['editEmployee', EditEmployee],
    ['exit', EnterExit],
    ['absence', EnterAbsence],
    ...(isInRoster(details) ? [] : ([['removeEmployee', RemoveEmployee]] as const)),
  ] as const;
  const item = (one: Decision) => (
    <Menu.Item
      key={one}
      onClick={() => open((dialog) => <DecisionModal {...dialog} employeeId={id} name={name} decision={one} />)}
      {...(impossible.includes(one) ? { c: 'dimmed' } : {})}
    >
      {textsOf(one).button}
    </Menu.Item>
  );
  return (
    <>
      <Menu position="bottom-end" width={320}>
        <Menu.Target>
          <Button ref={button} variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            {t('actions')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {possible.map(item)}
          {impossible.length > 0 && (
            <>
              {possible.length > 0 && <Menu.Divider />}
              <Menu.Label>{t('notNow')}</Menu.Label>
              {impossible.map(item)}
            </>
          )}
          <Menu.Divider />
          {byHand.map(([label, Content]) => (
            <Menu.Item key={label} onClick={() => open((dialog) => <Content details={details} {...dialog} />)}>
              {hand(label)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
}
