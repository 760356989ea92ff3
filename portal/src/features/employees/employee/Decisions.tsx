import { Alert, Box, Button, Group, Menu, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconArrowRight, IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { SubscriptionStatus } from '../../../../../src/domain/enums.ts';
import type { Decision } from '../../../../../src/domain/subscription/transitions.ts';
import type { DecisionPreview, EmployeeDetails } from '../../../../../src/features/employees/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useLanguage } from '../../../app/i18n/language.tsx';
import { useReader } from '../../../app/i18n/reader.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { ConsentFields, useConsent, useScanName } from '../../../ui/consent/ConsentFields.tsx';
import { ConfirmChange, useDialog } from '../../../ui/Dialog.tsx';
import { EffectsLine } from '../../../ui/effects/EffectsLine.tsx';
import { MessageText } from '../../../ui/MessageText.tsx';
import { Hint } from '../../../ui/text.tsx';
import { useDecide, useDecisionPreview } from '../api.ts';
import { isInRoster } from '../by-hand/source.ts';
import { texts as handTexts } from '../by-hand/texts.ts';
import { decisions, preview as previewTexts, texts } from './texts.ts';

/** Returns a function that returns the texts of a decision about the employee of this name. */
export function useDecisionTexts(name: string) {
  const { language } = useLanguage();
  return (decision: Decision) => {
    const { button, title, text, confirm, done } = decisions[decision];
    return {
      button: button[language],
      title: title[language].replace('{name}', () => name),
      text: text[language],
      confirm: confirm[language],
      done: done[language].replace('{name}', () => name),
    };
  };
}

/** Renders the old and the new status. A status that does not change is shown once. */
export function Transition({ from, to }: { from: SubscriptionStatus; to: SubscriptionStatus }) {
  return (
    <Group gap={4} component="span">
      {from !== to && (
        <>
          <StatusBadge of="subscriptionStatus" word={from} />
          <IconArrowRight size={14} aria-hidden />
          <VisuallyHidden>→</VisuallyHidden>
        </>
      )}
      <StatusBadge of="subscriptionStatus" word={to} />
    </Group>
  );
}

/** In the order of the menu. The type makes sure that no decision is missing. */
const everyDecision = {
  'contract-accepted': true,
  subscribe: true,
  resume: true,
  pause: true,
  'contract-rejected': true,
  cancel: true,
} satisfies Record<Decision, true>;
const dangerous: readonly Decision[] = ['cancel', 'contract-rejected'];

export function Effect({ preview }: { preview: DecisionPreview }) {
  const { t, formats } = useReader(previewTexts);
  if (preview.refusal !== null) {
    return (
      <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={t('refused')} role="alert">
        <Text>
          <MessageText message={preview.refusal} />
        </Text>
      </Alert>
    );
  }
  if (preview.changes.length === 0) return <Text>{t('nothing')}</Text>;
  const { nextTicketAt, changes } = preview;
  // A pause or an end that takes effect later leaves the tickets before it untouched.
  const isBefore =
    nextTicketAt !== null && changes.every(({ effectiveOn, to }) => nextTicketAt < effectiveOn && to !== 'active');
  const ticketText = isBefore ? 'lastTicket' : 'nextTicket';
  return (
    <Box component="section" aria-label={t('effect')} className="effect">
      <Stack gap="sm">
        <EffectsLine effects={preview.effects} />
        {preview.changes.map(({ effectiveOn, message, from, to }) => (
          <Stack key={`${effectiveOn} ${message.key}`} gap={4}>
            <Text fw={600}>{t('on', { date: formats.longDate(effectiveOn) })}</Text>
            <Transition from={from as SubscriptionStatus} to={to as SubscriptionStatus} />
            <Hint>
              <MessageText message={message} />
            </Hint>
          </Stack>
        ))}
        <Text>{nextTicketAt === null ? t('noTicket') : t(ticketText, { date: formats.longDate(nextTicketAt) })}</Text>
      </Stack>
    </Box>
  );
}

interface ModalProps {
  employeeId: number;
  name: string;
  decision: Decision;
  opened: boolean;
  onClose(): void;
}

export function DecisionModal({ employeeId, name, decision, opened, onClose }: ModalProps) {
  const { t } = useReader(previewTexts);
  const words = useDecisionTexts(name)(decision);
  const preview = useDecisionPreview(employeeId, opened ? decision : undefined);
  const consent = useConsent();
  const scanName = useScanName();
  const isConsent = decision === 'contract-accepted';
  const input = {
    decision,
    ...(isConsent && consent.value ? { consent: consent.value } : {}),
    ...(isConsent && consent.scan && consent.given === 'on-paper'
      ? { scan: { file: consent.scan, name: scanName } }
      : {}),
  };
  const isPossible = preview.data?.refusal === null && preview.data.changes.length > 0;
  return (
    <ConfirmChange
      opened={opened}
      onClose={onClose}
      change={useDecide(employeeId)}
      input={input}
      done={words.done}
      title={words.title}
      confirmLabel={words.confirm}
      danger={dangerous.includes(decision)}
      disabled={!isPossible}
      error={preview.error}
    >
      <Stack gap="sm">
        {preview.data ? (
          <Effect preview={preview.data} />
        ) : (
          !preview.error && <Skeleton height={84} role="status" aria-label={t('loading')} />
        )}
        <Text>{words.text}</Text>
        {isConsent && isPossible && <ConsentFields consent={consent} withScan />}
      </Stack>
    </ConfirmChange>
  );
}

/** Loaded when one is opened: they need a calendar. */
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
  const [decision, setDecision] = useState<Decision>('cancel');
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { id, firstName, lastName } = details.employee;
  const name = `${firstName} ${lastName}`;
  const textsOf = useDecisionTexts(name);
  if (!mayDecide) return null;
  const all = Object.keys(everyDecision) as Decision[];
  const possible = all.filter((one) => details.decisions.includes(one));
  const impossible = all.filter((one) => !details.decisions.includes(one));
  const openModal = (one: Decision) => {
    setDecision(one);
    setOpened(true);
  };
  const close = (closeDialog: () => void) => {
    closeDialog();
    // The menu item that had the focus before no longer exists.
    button.current?.focus();
  };
  const leave = () => close(() => setOpened(false));
  const byHand = [
    ['editEmployee', EditEmployee],
    ['exit', EnterExit],
    ['absence', EnterAbsence],
    ...(isInRoster(details) ? [] : ([['removeEmployee', RemoveEmployee]] as const)),
  ] as const;
  const item = (one: Decision) => (
    <Menu.Item key={one} onClick={() => openModal(one)} {...(impossible.includes(one) ? { c: 'dimmed' } : {})}>
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
            <Menu.Item
              key={label}
              onClick={() =>
                show(({ opened: isOpen, onClose }) => (
                  <Suspense>
                    <Content details={details} opened={isOpen} onClose={() => close(onClose)} />
                  </Suspense>
                ))
              }
            >
              {hand(label)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <DecisionModal employeeId={id} name={name} decision={decision} opened={opened} onClose={leave} />
      {dialog}
    </>
  );
}
