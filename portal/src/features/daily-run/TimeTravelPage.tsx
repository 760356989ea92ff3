import { Alert, Card, Group, List, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Me } from '../../../../src/portal/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { DateField } from '../../ui/DateField.tsx';
import { ConfirmModal, type DialogState, useDialog } from '../../ui/Dialog.tsx';
import { IconCircleCheck, IconClockPlay } from '../../ui/icons.gen.ts';
import { Page, Section } from '../../ui/layout.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { EmptyState, RoleGate } from '../../ui/Query.tsx';
import { Hint } from '../../ui/text.tsx';
import { useMovedCompanies, useTimeTravel, useTimeTravelDay, useTimeTravelState } from './api.ts';
import { texts } from './texts.ts';

/** Dates have the form `2026-11-15`. Calculates in UTC, where every day has the same length. */
const dayMillis = 86_400_000;
const write = (millis: number) => new Date(millis).toISOString().slice(0, 10);

const addDays = (day: string, days: number) => write(Date.parse(day) + days * dayMillis);

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / dayMillis);

function firstOfNextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return write(Date.UTC(year, month, 1));
}

/** The maximum number of days to advance at once. */
const maxDays = 400;

function ClockProgress({ today, to }: { today: string; to: string }) {
  const { t, formats } = useReader(texts);
  const [from] = useState(today);
  const here = useTimeTravelDay() ?? from;
  const share = (100 * daysBetween(from, here)) / Math.max(1, daysBetween(from, to));
  return (
    <Card role="status">
      <Stack gap="sm">
        <Title order={2}>{t('runningTitle', { date: formats.longDate(to) })}</Title>
        <Text>{t('running', { today: formats.longDate(here) })}</Text>
        <Progress value={Math.max(3, share)} animated aria-label={t('progress')} />
      </Stack>
    </Card>
  );
}

function ClockAdvanced({ today }: { today: string }) {
  const { t, formats } = useReader(texts);
  return (
    <Alert
      color="teal"
      role="status"
      icon={<IconCircleCheck size={18} />}
      title={t('arrivedTitle', { date: formats.longDate(today) })}
    >
      <Text mb="xs">{t('arrived')}</Text>
      <Group gap="xs">
        {(['overview', 'employees', 'billing'] as const).map((page) => (
          <Action
            key={page}
            to={page === 'overview' ? '/' : `/${page}`}
            size="compact-sm"
            variant="default"
            label={t(page)}
          />
        ))}
      </Group>
    </Alert>
  );
}

interface ConfirmationProps extends DialogState {
  to: string;
  onConfirm(companies: number): void;
}

function Confirmation({ to, onConfirm, ...modal }: ConfirmationProps) {
  const { t, formats } = useReader(texts);
  const { data, error } = useMovedCompanies(modal.opened);
  const count = data?.companies.length ?? 0;
  return (
    <ConfirmModal
      {...modal}
      onConfirm={() => onConfirm(count)}
      title={t('confirmTitle', { date: formats.longDate(to) })}
      confirmLabel={t('submit')}
      disabled={data === undefined}
      error={error}
      danger
    >
      {data && (
        <Stack gap="xs">
          {t('confirmText', { count })}
          <List size="sm">
            {data.companies.map(({ id, name }) => (
              <List.Item key={id}>{name}</List.Item>
            ))}
          </List>
          {t('irreversible')}
        </Stack>
      )}
    </ConfirmModal>
  );
}

function Travel({ today }: { today: string }) {
  const { t, formats } = useReader(texts);
  const travel = useTimeTravel();
  const { show, dialog } = useDialog();
  const [to, setTo] = useState<string | null>(null);
  const last = useTimeTravelState();
  const chosen = to !== null && to > today ? to : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen === null || travel.isPending) return;
    show((modal) => (
      <Confirmation
        {...modal}
        to={chosen}
        onConfirm={(confirm) => {
          modal.onClose();
          travel.mutate({ to: chosen, confirm }, { onSuccess: () => setTo(null) });
        }}
      />
    ));
  };
  if (last?.status === 'pending') return <ClockProgress today={today} to={last.to} />;
  const shortcut = (label: string, day: string) => (
    <Action variant="default" size="compact-sm" onClick={() => setTo(day)} label={label} />
  );
  return (
    <>
      {dialog}
      {last?.today && <ClockAdvanced today={last.today} />}
      <ProblemAlert error={last?.error} />
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        <Card component="form" onSubmit={submit}>
          <Stack gap="md" align="flex-start">
            <div>
              <Hint fw={500}>{t('today')}</Hint>
              <Text fz={22} fw={650} lh={1.3}>
                {formats.longDate(today)}
              </Text>
            </div>
            <DateField
              label={t('to')}
              description={t('toHint', { days: maxDays })}
              placeholder={formats.date(firstOfNextMonth(today))}
              value={chosen}
              onChange={setTo}
              minDate={addDays(today, 1)}
              maxDate={addDays(today, maxDays)}
              defaultDate={firstOfNextMonth(today)}
              clearable
              w="100%"
            />
            <Group gap="xs">
              {shortcut(t('inAWeek'), addDays(today, 7))}
              {shortcut(t('nextMonth'), firstOfNextMonth(today))}
            </Group>
            <Action
              type="submit"
              disabled={chosen === null}
              icon={IconClockPlay}
              label={chosen === null ? t('submit') : t('submitTo', { date: formats.longDate(chosen) })}
            />
          </Stack>
        </Card>
        <Section title={t('whatTitle')}>
          <List size="sm" spacing="xs">
            {(['what1', 'what2', 'what3'] as const).map((key) => (
              <List.Item key={key}>{t(key)}</List.Item>
            ))}
          </List>
        </Section>
      </SimpleGrid>
    </>
  );
}

function Content({ me }: { me: Me }) {
  const { t } = useReader(texts);
  if (me.environment !== 'staging') {
    return <EmptyState icon={IconClockPlay} title={t('productionTitle')} hint={t('productionHint')} />;
  }
  if (!me.timeTravel) return <EmptyState icon={IconClockPlay} title={t('operatorTitle')} hint={t('operatorHint')} />;
  return (
    <RoleGate ability="time-travel">
      <Travel today={me.today} />
    </RoleGate>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const me = useMe().data;
  return (
    <Page title={t('timeTravel')} description={t('description')}>
      {me && <Content me={me} />}
    </Page>
  );
}
