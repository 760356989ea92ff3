import { Checkbox, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { RequestAction } from '../../../../src/domain/enums.ts';
import type { EmployeeSelection } from '../../../../src/features/employees/contract.ts';
import type { BatchPreview } from '../../../../src/features/subscriptions/batches/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { ConsentFields, useConsent } from '../../ui/consent/ConsentFields.tsx';
import { ConfirmModal, Dialog } from '../../ui/Dialog.tsx';
import { EffectsLine } from '../../ui/effects/EffectsLine.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { useBatchPreview, useStartBatch } from './api.ts';
import { BatchResult, RefusalList, useNames } from './BatchResult.tsx';
import { texts } from './texts.ts';

const monthsOffered = 12;

/** Returns the first days of the months after a day. */
function monthsAfter(day: string): string[] {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return Array.from({ length: monthsOffered }, (_, index) =>
    new Date(Date.UTC(year, month + index, 1)).toISOString().slice(0, 10),
  );
}

interface MonthProps {
  label: string;
  /** What no month means. */
  none: string;
  months: readonly string[];
  value: string | null;
  onChange(month: string | null): void;
}

function MonthSelect({ label, none, months, value, onChange }: MonthProps) {
  const { formats } = useReader(texts);
  return (
    <Select
      label={label}
      data={[{ value: '', label: none }, ...months.map((month) => ({ value: month, label: formats.month(month) }))]}
      value={value ?? ''}
      onChange={(month) => onChange(month || null)}
      allowDeselect={false}
      flex="1 1 160px"
    />
  );
}

function Preview({ preview }: { preview: BatchPreview }) {
  const { t, formats } = useReader(texts);
  const nameAll = useNames();
  const { applicable, unchanged, effects, monthly, from, named, refusals } = preview;
  const [first] = from;
  return (
    <Stack gap="xs">
      {applicable > 0 ? (
        <>
          <EffectsLine effects={effects} />
          {effects.monthlyCents !== 0 && (
            <Text>
              {t('shares', {
                company: formats.signedMoney(monthly.companyCents),
                employees: formats.signedMoney(monthly.employeesCents),
              })}
            </Text>
          )}
          {from.length === 1 && first ? (
            <Text>{t('takesEffect', { month: formats.month(first.month), names: nameAll(named, applicable, 5) })}</Text>
          ) : (
            <>
              {from.map(({ month, employees }) => (
                <Text key={month}>
                  {t('several', { month: formats.month(month), count: formats.number(employees) })}
                </Text>
              ))}
              <Text>{nameAll(named, applicable, 5)}</Text>
            </>
          )}
        </>
      ) : (
        <Text>{t('nobody')}</Text>
      )}
      {unchanged > 0 && <Text>{t('unchanged', { count: unchanged })}</Text>}
      <RefusalList refusals={refusals} title={t('refused')} />
    </Stack>
  );
}

interface Props {
  action: RequestAction;
  selection: EmployeeSelection;
  onClose(): void;
  onDone(): void;
}

/** Shows what a request about many would do, makes it, and shows what became of it. */
export function BatchModal({ action, selection, onClose, onDone }: Props) {
  const { t } = useReader(texts);
  const today = useMe().data?.today;
  const [from, setFrom] = useState<string | null>(null);
  const [until, setUntil] = useState<string | null>(null);
  const [hasConsent, setHasConsent] = useState(false);
  const [batchId, setBatchId] = useState<number>();
  const consent = useConsent();
  const wanted = {
    ...{ action, ...selection },
    ...(from ? { from } : {}),
    ...(until ? { until } : {}),
    ...(hasConsent && consent.value ? { consent: consent.value } : {}),
  };
  const preview = useBatchPreview(wanted);
  const start = useStartBatch();
  const title = t(`${action}Title`);
  if (batchId !== undefined) {
    const leave = () => {
      onDone();
      onClose();
    };
    return (
      <Dialog opened onClose={leave} title={title}>
        <BatchResult id={batchId} onClose={leave} />
      </Dialog>
    );
  }
  const { applicable = 0, needConsent = 0 } = preview.data ?? {};
  const months = today === undefined ? [] : monthsAfter(today);
  const confirm = () =>
    start.mutate(
      { ...wanted, confirm: applicable },
      { onSuccess: ({ id }) => setBatchId(id), onError: () => void preview.refetch() },
    );
  return (
    <ConfirmModal
      onClose={onClose}
      onConfirm={confirm}
      title={title}
      confirmLabel={t(`${action}Confirm`, { count: applicable })}
      danger={action === 'cancel'}
      pending={start.isPending || preview.isPending || preview.isPlaceholderData}
      disabled={applicable === 0}
      error={start.error}
    >
      <Stack gap="md">
        <ProblemAlert error={preview.error} />
        {preview.data && <Preview preview={preview.data} />}
        {(needConsent > 0 || hasConsent) && (
          <Stack gap="xs">
            {needConsent > 0 && <Text>{t('consent', { count: needConsent })}</Text>}
            <Checkbox
              label={t('hasConsent')}
              checked={hasConsent}
              onChange={(event) => setHasConsent(event.currentTarget.checked)}
            />
            {hasConsent && <ConsentFields consent={consent} />}
          </Stack>
        )}
        <Group gap="sm" align="flex-end">
          <MonthSelect label={t('from')} none={t('earliest')} months={months} value={from} onChange={setFrom} />
          {action === 'pause' && (
            <MonthSelect label={t('until')} none={t('open')} months={months} value={until} onChange={setUntil} />
          )}
        </Group>
      </Stack>
    </ConfirmModal>
  );
}
