import { Badge, Card, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Overview, Task } from '../../../../src/portal/contract.ts';
import { useAbility, useMe } from '../../app/api/me.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import type { Icon } from '../../ui/icon.tsx';
import {
  IconCalendarTime,
  IconCircleCheck,
  IconClockExclamation,
  IconFileInvoice,
  IconFileSpreadsheet,
  IconPlugConnectedX,
  IconReceiptEuro,
  IconReceiptRefund,
  IconSignature,
  IconTicket,
  IconTicketOff,
  IconUpload,
  IconUserMinus,
  IconWebhookOff,
} from '../../ui/icons.gen.ts';
import { Hint, syncAddress } from '../../ui/text.tsx';
import { texts } from './texts.ts';

const LinksModal = lazy(async () => ({ default: (await import('../contracts/LinksModal.tsx')).LinksModal }));

/** What a task says: what is due, what happens otherwise, and its button. */
interface TaskText {
  icon: Icon;
  title: string;
  text: string;
  action: string;
  /** The page that the button opens. Undefined: it reminds of open agreements. */
  to?: string;
}

type Of<Kind extends Task['kind']> = Extract<Task, { kind: Kind }>;

/** Returns the texts of tasks about HR data. */
function useRosterTexts() {
  const { t, words, formats } = useReader(texts);
  return {
    'first-roster': ({ integrationId }: Of<'first-roster'>): TaskText =>
      integrationId === null
        ? {
            icon: IconUpload,
            title: t('connectTitle'),
            text: t('connect'),
            action: t('connectAction'),
            to: '/integrations/new',
          }
        : {
            icon: IconUpload,
            title: t('firstTitle'),
            text: t('first'),
            action: t('upload'),
            to: `/integrations/${integrationId}/upload`,
          },
    'pending-removals': (task: Of<'pending-removals'>): TaskText => ({
      icon: IconUserMinus,
      title: t('removalsTitle', { integration: task.integrationName, count: task.removals }),
      text: t('removals', { month: formats.month(task.month) }),
      action: t('review'),
      to: syncAddress(task.integrationId, task.syncId),
    }),
    'integration-unhealthy': ({ status, integrationId, integrationName }: Of<'integration-unhealthy'>): TaskText => ({
      icon: IconPlugConnectedX,
      title: t('unhealthyTitle', { integration: integrationName }),
      text: t('unhealthy', {
        status: status === 'invalid' ? words.integrationStatus.invalid : words.syncState[status],
      }),
      action: t('fix'),
      to: `/integrations/${integrationId}`,
    }),
    'roster-overdue': ({ integrationId, integrationName, lastSynced }: Of<'roster-overdue'>): TaskText => ({
      icon: IconClockExclamation,
      title: t('overdueTitle', { integration: integrationName }),
      text: lastSynced === null ? t('overdueNever') : t('overdue', { last: formats.time(lastSynced) }),
      action: t('checkRoster'),
      to: `/integrations/${integrationId}`,
    }),
    'cut-off': ({ dueOn, month }: Of<'cut-off'>): TaskText => ({
      icon: IconCalendarTime,
      title: t('cutOffTitle', { date: dueOn === null ? '' : formats.date(dueOn) }),
      text: t('cutOffTask', { month: formats.month(month) }),
      action: t('checkRoster'),
      to: '/integrations',
    }),
  };
}

const openAgreements = '/agreements?states=open&states=link-expired';

/** Returns the texts of tasks about who gets a ticket. */
function useEmployeeTexts() {
  const { t, formats } = useReader(texts);
  return {
    'open-agreements'({ employees, unlinked, remindable, month }: Of<'open-agreements'>): TaskText {
      const links = unlinked > 0 ? [t('unlinked', { count: unlinked })] : remindable === 0 ? [t('remindedToday')] : [];
      return {
        icon: IconSignature,
        title: t('agreementsTitle', { count: employees }),
        text: [t('agreements', { month: formats.month(month) }), ...links].join(' '),
        ...(remindable > 0
          ? { action: t('remind', { count: remindable }) }
          : { action: t(unlinked > 0 ? 'sendLinks' : 'toAgreements'), to: openAgreements }),
      };
    },
    'missing-tickets': ({ failed, late, failingSince, month }: Of<'missing-tickets'>): TaskText => ({
      icon: IconTicket,
      title: t('missingTitle', { month: formats.month(month) }),
      text: [
        ...(failed > 0 ? [t('missingFailed', { count: failed })] : []),
        ...(late > 0 ? [t('missingLate', { count: late })] : []),
        ...(failingSince !== null ? [t('issuerFailing', { time: formats.time(failingSince) })] : []),
      ].join(' '),
      action: t('toOrders'),
      to: '/issuer',
    }),
    'undecided-employees': ({ employees, unsubscribed, canInvite, month }: Of<'undecided-employees'>): TaskText => ({
      icon: IconTicketOff,
      title: t('undecidedTitle', { count: employees }),
      text: `${t(canInvite ? 'uninvited' : 'undecided', { month: formats.month(month) })}${
        unsubscribed > employees ? ` ${t('undecidedOthers', { all: unsubscribed })}` : ''
      }`,
      action: t('invite'),
      to: canInvite ? '/joining?invite=all' : '/joining',
    }),
  };
}

/** Returns the texts of tasks about money, and of technical ones. */
function useOtherTexts() {
  const { t, formats } = useReader(texts);
  const { language } = useLanguage();
  const maySet = useAbility('settings');
  return {
    payroll({ period, missingSettings, problems }: Of<'payroll'>): TaskText {
      const month = formats.month(period);
      const settings = new Intl.ListFormat(language).format(missingSettings.map((setting) => t(setting)));
      const isMissing = missingSettings.length > 0;
      const isBlocked = isMissing || problems > 0;
      return {
        icon: IconFileSpreadsheet,
        title: t(isBlocked ? 'payrollBlockedTitle' : 'payrollTitle', { month }),
        text: [
          ...(isMissing ? [t('payrollMissing', { settings })] : []),
          ...(problems > 0 ? [t('payrollNumbers', { count: problems })] : []),
          t('payroll'),
        ].join(' '),
        ...(isMissing && maySet
          ? { action: t('enterSettings'), to: '/settings' }
          : { action: t(isBlocked ? 'fix' : 'exportPayroll'), to: `/month-end?month=${period}` }),
      };
    },
    'price-change': ({ month, price }: Of<'price-change'>): TaskText => ({
      icon: IconReceiptEuro,
      title: t('priceTitle', { month: formats.month(month), price: formats.money(price.value) }),
      text: t('price'),
      action: t('toForecast'),
      to: '/billing/forecast',
    }),
    corrections: ({ charges }: Of<'corrections'>): TaskText => ({
      icon: IconReceiptRefund,
      title: t('correctionsTitle', { count: charges }),
      text: t('corrections'),
      action: t('review'),
      to: '/billing/corrections',
    }),
    invoice: ({ number, gross }: Of<'invoice'>): TaskText => ({
      icon: IconFileInvoice,
      title: t('invoiceTitle', { number, amount: formats.money(gross.value) }),
      text: t('invoice'),
      action: t('toInvoice'),
      to: '/invoices',
    }),
    'endpoint-unhealthy': ({ endpointId, host, status, since }: Of<'endpoint-unhealthy'>): TaskText => ({
      icon: IconWebhookOff,
      title: t('endpointTitle', { host }),
      text: t(status === 'failing' ? 'endpointFailing' : 'endpointDisabled', { time: formats.time(since) }),
      action: t('fix'),
      to: `/webhooks/${endpointId}`,
    }),
  };
}

function useTaskText(task: Task): TaskText {
  const all = { ...useRosterTexts(), ...useEmployeeTexts(), ...useOtherTexts() };
  const describe = all[task.kind] as (of: Task) => TaskText;
  return describe(task);
}

/** Renders until when a task has to be done. */
function Due({ on }: { on: string | null }) {
  const { t, formats } = useReader(texts);
  const { today = '' } = useMe().data ?? {};
  const [colour, text] =
    on === null
      ? ['red', t('now')]
      : on < today
        ? ['red', t('late', { date: formats.date(on) })]
        : on === today
          ? ['orange', t('today')]
          : ['gray', t('by', { date: formats.date(on) })];
  return (
    <Badge color={colour} variant="light" miw="max-content">
      {text}
    </Badge>
  );
}

/** Renders a task. The button of the first one is the recommended action. */
function TaskItem({ task, isFirst }: { task: Task; isFirst: boolean }) {
  const { icon: Picture, title, text, action, to } = useTaskText(task);
  const [isReminding, setReminding] = useState(false);
  const press = to === undefined ? { onClick: () => setReminding(true) } : { to };
  return (
    <Group component="li" justify="space-between" gap="xs" px="lg" py="sm" className="lined">
      <Group gap="sm" wrap="nowrap" align="flex-start" flex="1 1 320px">
        <ThemeIcon variant="light" size={36} aria-hidden>
          <Picture size={19} stroke={1.7} />
        </ThemeIcon>
        <div>
          <Group gap="4px 10px">
            <Text fw={600}>{title}</Text>
            <Due on={task.dueOn} />
          </Group>
          <Hint maw={720}>{text}</Hint>
        </div>
      </Group>
      <Action
        size="xs"
        ml={{ base: 48, xs: 0 }}
        variant={isFirst ? 'filled' : 'default'}
        {...press}
        aria-label={`${action}: ${title}`}
        label={action}
      />
      {isReminding && (
        <Suspense>
          <LinksModal
            selection={{ filter: { agreementStates: ['open'] } }}
            isReminder
            onClose={() => setReminding(false)}
          />
        </Suspense>
      )}
    </Group>
  );
}

/** There is one task about agreements. Its counts change while its dialog is open. */
const keyOf = (task: Task) => (task.kind === 'open-agreements' ? task.kind : JSON.stringify(task));

/** Renders what the user should do, above everything else. */
export function Tasks({ overview: { tasks, deadline } }: { overview: Overview }) {
  const { t, formats } = useReader(texts);
  if (tasks.length === 0) {
    return (
      <Group gap={6} wrap="nowrap" align="flex-start">
        <IconCircleCheck size={20} color="var(--mantine-color-teal-6)" aria-hidden style={{ flex: 'none' }} />
        <Text>
          {t('nothing')}{' '}
          <Text span c="dimmed">
            {t(`next-${deadline.kind}`, { date: formats.longDate(deadline.on) })}
          </Text>
        </Text>
      </Group>
    );
  }
  return (
    <Card component="section" padding={0} aria-labelledby="tasks" className="waiting">
      <Title order={2} id="tasks" px="lg" pt="md" pb="xs">
        {t('tasks')}
      </Title>
      <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
        {tasks.map((task, index) => (
          <TaskItem key={keyOf(task)} task={task} isFirst={index === 0} />
        ))}
      </Stack>
    </Card>
  );
}
