import { Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CoverSheetQuery, PayrollExport, ReasonBody } from '../../../../src/features/payroll/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useChange, usePost } from '../../app/api/queries.ts';
import { at, pathTo, post } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, SmallAction } from '../../ui/Action.tsx';
import { ConfirmChange, type DialogState, useDialog } from '../../ui/Dialog.tsx';
import { IconCheck, IconDownload, IconFileSpreadsheet, IconFileTypePdf } from '../../ui/icons.gen.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Hint, useStoredName } from '../../ui/text.tsx';
import { texts } from './texts.ts';

/** What a change of exports touches. */
export const touched = ['payroll', 'month-end', 'overview', 'activity'];

export const fileOf = ({ id }: Pick<PayrollExport, 'id'>) => pathTo(at`/payroll/exports/${id}/download`);

export const coverSheetOf = ({ id }: Pick<PayrollExport, 'id'>, format: CoverSheetQuery['format']) =>
  `${pathTo(at`/payroll/exports/${id}/cover-sheet`)}?format=${format}`;

interface ReasonModalProps extends DialogState {
  path: string;
  title: string;
  hint: string;
  label: string;
  done: string;
}

/** Asks for the reason of a change. */
function ReasonModal({ path, title, hint, label, done, ...modal }: ReasonModalProps) {
  const { t } = useReader(texts);
  const [reason, setReason] = useState('');
  return (
    <ConfirmChange
      {...modal}
      change={usePost<PayrollExport, ReasonBody>(path, touched)}
      input={{ reason }}
      done={done}
      title={title}
      confirmLabel={label}
      danger
      disabled={reason.trim() === ''}
    >
      <Stack gap="sm">
        <Text>{hint}</Text>
        <TextInput
          label={t('reason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          data-autofocus
        />
      </Stack>
    </ConfirmChange>
  );
}

interface RowModalProps extends DialogState {
  row: PayrollExport;
}

export function VoidModal({ row, ...modal }: RowModalProps) {
  const { t, formats } = useReader(texts);
  const number = String(row.number);
  return (
    <ReasonModal
      {...modal}
      path={at`/payroll/exports/${row.id}/void`}
      title={t('voidTitle', { number, month: formats.month(row.period) })}
      hint={t('voidHint')}
      label={t('void')}
      done={t('voidDone', { number })}
    />
  );
}

function WithdrawModal({ row, ...modal }: RowModalProps) {
  const { t } = useReader(texts);
  return (
    <ReasonModal
      {...modal}
      path={at`/payroll/exports/${row.id}/handover/withdraw`}
      title={t('withdrawTitle', { number: String(row.number) })}
      hint={t('withdrawHint')}
      label={t('withdraw')}
      done={t('withdrawDone')}
    />
  );
}

/** Renders who handed an export over and when, or the button with which to record it. */
function Handover({ row }: { row: PayrollExport }) {
  const { t, formats } = useReader(texts);
  const nameOf = useStoredName();
  const { show, dialog } = useDialog();
  const describe = ({ at: time, by }: NonNullable<PayrollExport['handedOver']>) =>
    t('handedOver', { date: formats.time(time), name: nameOf(by) });
  const change = useChange(() => post<PayrollExport>(at`/payroll/exports/${row.id}/handover`), touched);
  // Somebody else may have recorded it meanwhile. The response says who it was.
  const record = () =>
    change.mutate(undefined, { onSuccess: ({ handedOver }) => handedOver && notifyDone(describe(handedOver)) });
  return (
    <>
      <ProblemAlert error={change.error} />
      {row.handedOver ? (
        <Group gap="xs">
          <IconCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
          <Text>{describe(row.handedOver)}</Text>
          <SmallAction
            onClick={() => show((modal) => <WithdrawModal {...modal} row={row} />)}
            aria-label={t('withdrawTitle', { number: String(row.number) })}
            label={t('withdraw')}
          />
        </Group>
      ) : (
        <Group>
          <Action icon={IconCheck} onClick={record} loading={change.isPending} label={t('handOver')} />
        </Group>
      )}
      {dialog}
    </>
  );
}

/** Renders the sums of an export. */
export function Amounts({ taxFree, flatTax, deduction }: PayrollExport) {
  const { t, formats } = useReader(texts);
  const sums = [
    [t('taxFree'), taxFree],
    [t('flatTax'), flatTax],
    [t('deduction'), deduction],
  ] as const;
  return sums
    .filter(([, { value }]) => value !== 0)
    .map(([label, money]) => (
      <Text key={label} className="figures">
        {label}: {formats.money(money.value)}
      </Text>
    ));
}

/** Renders the files of an export, and whether they were handed over. */
export function ExportFiles({ row }: { row: PayrollExport }) {
  const { t, formats } = useReader(texts);
  const mayDownload = useAbility('payroll-files');
  const number = String(row.number);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text fw={600}>{t('exportLine', { number, count: formats.number(row.employees) })}</Text>
        {row.voided && (
          <Badge color="red" variant="light">
            {t('voided')}
          </Badge>
        )}
      </Group>
      <div>
        <Amounts {...row} />
      </div>
      {!mayDownload && <Hint>{t('mayNotExport')}</Hint>}
      {mayDownload && (
        <Group gap="xs">
          <Action href={fileOf(row)} download variant="light" icon={IconDownload} label={t('payrollFile')} />
          {!row.voided && (
            <>
              <Action
                href={coverSheetOf(row, 'pdf')}
                download
                variant="light"
                icon={IconFileTypePdf}
                label={t('coverSheet')}
              />
              <Action
                href={coverSheetOf(row, 'xlsx')}
                download
                variant="light"
                icon={IconFileSpreadsheet}
                label={t('coverSheetExcel')}
              />
            </>
          )}
        </Group>
      )}
      {mayDownload && !row.voided && <Handover row={row} />}
    </Stack>
  );
}
