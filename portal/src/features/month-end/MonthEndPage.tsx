import { Anchor, Badge, Group, Select, Skeleton, Stack, Text, ThemeIcon, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { BillingPeriod } from '../../../../src/features/billing/contract.ts';
import type { MonthEnd } from '../../../../src/portal/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useGet } from '../../app/api/queries.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useReader } from '../../app/i18n/reader.ts';
import { SmallAction } from '../../ui/Action.tsx';
import type { Icon } from '../../ui/icon.tsx';
import { IconAlertTriangle, IconArrowRight, IconCheck, IconClock } from '../../ui/icons.gen.ts';
import { Page, Section } from '../../ui/layout.tsx';
import { useListState } from '../../ui/list-state.ts';
import { Query } from '../../ui/Query.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Hint, MoneyText, Small, syncAddress, useStoredName } from '../../ui/text.tsx';
import { InvoiceFiles, MissingForInvoice, signed } from '../invoices/invoice-parts.tsx';
import { ExportFiles } from '../payroll/export-files.tsx';
import { PayrollContent } from '../payroll/preview.tsx';
import { texts } from './texts.ts';

type StepName = keyof MonthEnd['steps'];
type StepState = MonthEnd['steps'][StepName];

const stepNames = ['roster', 'charges', 'payroll', 'invoice'] as const satisfies readonly StepName[];

const looks: Record<StepState, { colour: string; icon: Icon }> = {
  done: { colour: 'teal', icon: IconCheck },
  todo: { colour: 'blue', icon: IconArrowRight },
  blocked: { colour: 'orange', icon: IconAlertTriangle },
  waiting: { colour: 'gray', icon: IconClock },
};

function useStepTitle() {
  const { t } = useReader(texts);
  return (name: StepName) => t(name);
}

/** Returns the steps that are left, as a list in words. */
function useStepsLeft({ steps }: MonthEnd): string {
  const { language } = useLanguage();
  const left = stepNames.filter((name) => steps[name] !== 'done');
  return new Intl.ListFormat(language).format(left.map(useStepTitle()));
}

/** Lists the steps with their states. Each one leads to its part of the page. */
function StepList({ month }: { month: MonthEnd }) {
  const { t } = useReader(texts);
  const titleOf = useStepTitle();
  const steps = [
    ...stepNames.map((name) => ({ name: name as string, title: titleOf(name), state: month.steps[name] })),
    { name: 'finish', title: t('finish'), state: month.isDone ? ('done' as const) : ('waiting' as const) },
  ];
  return (
    <nav aria-label={t('steps')}>
      <Group gap="8px 20px">
        {steps.map(({ name, title, state }) => {
          const { colour, icon: Picture } = looks[state];
          return (
            <Anchor key={name} href={`#${name}`} c="inherit" underline="hover">
              <Group gap={8} wrap="nowrap" component="span">
                <ThemeIcon size={24} radius="xl" color={colour} variant="light" aria-hidden>
                  <Picture size={15} />
                </ThemeIcon>
                <span>{title}</span>
                <VisuallyHidden>: {t(state)}</VisuallyHidden>
              </Group>
            </Anchor>
          );
        })}
      </Group>
    </nav>
  );
}

function Step({ month, name, children }: { month: MonthEnd; name: StepName; children: ReactNode }) {
  const { t } = useReader(texts);
  const titleOf = useStepTitle();
  const state = month.steps[name];
  return (
    <div id={name} style={{ scrollMarginTop: 80 }}>
      <Section
        title={`${stepNames.indexOf(name) + 1}. ${titleOf(name)}`}
        aside={<Badge color={looks[state].colour}>{t(state)}</Badge>}
      >
        {children}
      </Section>
    </div>
  );
}

function Integration({ row }: { row: MonthEnd['roster'][number] }) {
  const { t, formats } = useReader(texts);
  const { integrationId, integrationName, lastSynced, overdueSince, issue, pending } = row;
  const [state, to, action] = pending
    ? [t('removals', { count: pending.removals }), syncAddress(integrationId, pending.syncId), t('decide')]
    : issue
      ? [t('broken'), `/integrations/${integrationId}`, t('open')]
      : overdueSince
        ? [t('overdue'), `/integrations/${integrationId}`, t('open')]
        : [lastSynced === null ? null : t('current'), null, null];
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Text>
          <Anchor component={Link} to={`/integrations/${integrationId}`} fw={600}>
            {integrationName}
          </Anchor>
          {state !== null && `: ${state}`}
        </Text>
        <Small>
          {lastSynced === null ? t('neverSynced') : t('lastSynced', { time: formats.relative(lastSynced) })}
        </Small>
      </div>
      {to !== null && <SmallAction to={to} aria-label={`${action}: ${integrationName}`} label={action} />}
    </Group>
  );
}

function RosterStep({ month }: { month: MonthEnd }) {
  const { t } = useReader(texts);
  const isOver = month.period < (month.months[0] ?? '');
  return (
    <Step month={month} name="roster">
      {isOver || month.roster.length === 0 ? (
        <Hint>{t(isOver ? 'rosterOver' : 'rosterNone')}</Hint>
      ) : (
        <Stack gap="sm">
          {month.roster.map((row) => (
            <Integration key={row.integrationId} row={row} />
          ))}
        </Stack>
      )}
    </Step>
  );
}

function Charges({ charges }: { charges: BillingPeriod }) {
  const { t, words, formats } = useReader(texts);
  type Row = Pick<BillingPeriod['types'][number], 'gross'> & { name: string; items: number | null };
  const rows: Row[] = [
    ...charges.types.map(({ chargeType, items, gross }) => ({ name: words.charge[chargeType], items, gross })),
    { name: t('sum'), items: null, gross: charges.gross },
  ];
  const columns: Column<Row>[] = [
    { header: t('chargeType'), render: ({ name, items }) => <Text fw={items === null ? 600 : undefined}>{name}</Text> },
    { header: t('count'), align: 'right', render: ({ items }) => (items === null ? '' : formats.number(items)) },
    {
      header: t('gross'),
      align: 'right',
      render: ({ gross, items }) => <MoneyText money={gross} strong={items === null} />,
    },
  ];
  return (
    <Stack gap="xs">
      <Rows label={t('charges')} rows={rows} rowKey={({ name }) => name} columns={columns} isQuiet />
      <Anchor component={Link} to={`/billing/${charges.period}`}>
        {t('allCharges')}
      </Anchor>
    </Stack>
  );
}

function ChargesStep({ month }: { month: MonthEnd }) {
  const { t } = useReader(texts);
  return (
    <Step month={month} name="charges">
      {month.charges ? (
        <Charges charges={month.charges} />
      ) : (
        <Hint>{t(month.steps.charges === 'waiting' ? 'chargesWaiting' : 'chargesNone')}</Hint>
      )}
    </Step>
  );
}

function PayrollStep({ month }: { month: MonthEnd }) {
  const { t } = useReader(texts);
  const { preview, exports } = month.payroll;
  const isWaiting = preview.lines > 0 || preview.problemCount > 0;
  return (
    <Step month={month} name="payroll">
      <Stack gap="lg">
        {exports.map((row) => (
          <ExportFiles key={row.id} row={row} />
        ))}
        {isWaiting && <PayrollContent preview={preview} period={month.period} />}
        {!isWaiting && exports.length === 0 && (
          <Hint>{t(month.steps.payroll === 'waiting' ? 'payrollWaiting' : 'payrollNothing')}</Hint>
        )}
      </Stack>
    </Step>
  );
}

function InvoiceStep({ month }: { month: MonthEnd }) {
  const { t, formats } = useReader(texts);
  const mayDownload = useAbility('invoice-files');
  const { invoices, missingForInvoice, steps } = month;
  return (
    <Step month={month} name="invoice">
      <Stack gap="sm">
        {invoices.map((invoice) => (
          <Group key={invoice.id} justify="space-between" gap="xs">
            <div>
              <Text fw={600}>
                {invoice.number}: <MoneyText money={signed(invoice)} />
              </Text>
              <Small>
                {invoice.type === 'invoice' ? t('dueOn', { date: formats.date(invoice.dueOn) }) : t('creditNote')}
              </Small>
            </div>
            {mayDownload && <InvoiceFiles {...invoice} />}
          </Group>
        ))}
        {steps.invoice === 'blocked' && <MissingForInvoice missing={missingForInvoice} />}
        {invoices.length === 0 && steps.invoice !== 'blocked' && (
          <Hint>{t(steps.invoice === 'waiting' ? 'invoiceWaiting' : 'invoiceNothing')}</Hint>
        )}
      </Stack>
    </Step>
  );
}

/** Says that the month is complete, or what is left to do. */
function Outcome({ month }: { month: MonthEnd }) {
  const { t, formats } = useReader(texts);
  const nameOf = useStoredName();
  const steps = useStepsLeft(month);
  const handedOver = month.payroll.exports.find((row) => row.handedOver)?.handedOver;
  return (
    <div id="finish" style={{ scrollMarginTop: 80 }}>
      <Section
        title={`5. ${t('finish')}`}
        aside={
          <Badge color={looks[month.isDone ? 'done' : 'waiting'].colour}>{t(month.isDone ? 'done' : 'waiting')}</Badge>
        }
      >
        {month.isDone ? (
          <Text>
            {t('complete', { month: formats.month(month.period) })}{' '}
            {handedOver && t('completeHandedOver', { date: formats.time(handedOver.at), name: nameOf(handedOver.by) })}
          </Text>
        ) : (
          <Text>{t('openSteps', { steps })}</Text>
        )}
      </Section>
    </div>
  );
}

/** Says in one sentence where the month stands. */
function Answer({ month }: { month: MonthEnd }) {
  const { t, formats } = useReader(texts);
  const titleOf = useStepTitle();
  const steps = useStepsLeft(month);
  if (month.isDone) return <Text fw={600}>{t('complete', { month: formats.month(month.period) })}</Text>;
  return (
    <Text fw={600}>{month.next ? t('nextStep', { step: titleOf(month.next) }) : t('nothingToDo', { steps })}</Text>
  );
}

const isBeingWritten = (month: MonthEnd | undefined) => month?.invoices.some(({ downloadable }) => !downloadable);

export function Component() {
  const { t, formats } = useReader(texts);
  const list = useListState();
  const chosen = list.text('month');
  const query = useGet<MonthEnd>(
    ['month-end', chosen],
    chosen ? `/month-end?period=${encodeURIComponent(chosen)}` : '/month-end',
    { staleTime: 0, refetchInterval: ({ state }) => (isBeingWritten(state.data) ? 3_000 : false) },
  );
  const month = query.data;
  return (
    <Page
      title={t('monthEnd')}
      description={t('description')}
      actions={
        month === undefined ? (
          query.isLoading && <Skeleton w={190} height={36} />
        ) : (
          <Select
            aria-label={t('month')}
            w={190}
            data={[...new Set([month.period, ...month.months])].map((value) => ({
              value,
              label: formats.month(value),
            }))}
            value={month.period}
            onChange={(value) => list.set({ month: value })}
            allowDeselect={false}
          />
        )
      }
    >
      <Query of={query} rows={10}>
        {(shown) => (
          <Stack gap="lg">
            <Stack gap="xs">
              <Answer month={shown} />
              <StepList month={shown} />
            </Stack>
            <RosterStep month={shown} />
            <ChargesStep month={shown} />
            <PayrollStep month={shown} />
            <InvoiceStep month={shown} />
            <Outcome month={shown} />
          </Stack>
        )}
      </Query>
    </Page>
  );
}
