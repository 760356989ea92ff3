import { Card, Checkbox, Group, List, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ContractBatch, ContractsPreview, SigningLinks } from '../../../../src/features/contracts/contract.ts';
import type { Employee } from '../../../../src/features/employees/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, Notice, SmallAction } from '../../ui/Action.tsx';
import { ConsentFields, useConsent } from '../../ui/consent/ConsentFields.tsx';
import { ConfirmModal, Dialog } from '../../ui/Dialog.tsx';
import { downloadCsv } from '../../ui/export.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import type { Column } from '../../ui/table.tsx';
import { Hint } from '../../ui/text.tsx';
import {
  type Selection,
  useContractBatch,
  useContractsPreview,
  useCreateSigningLinks,
  useDecideContracts,
} from './api.ts';
import { texts } from './texts.ts';

interface ResultProps {
  result: SigningLinks;
  onClose(): void;
  onContinue(): void;
  isPending: boolean;
  error: unknown;
}

function Result({ result, onClose, onContinue, isPending, error }: ResultProps) {
  const { t, formats } = useReader(texts);
  const { time } = formats;
  const { language } = useLanguage();
  const { created, mailed, links, remaining } = result;
  const download = () =>
    downloadCsv(
      t('fileName'),
      [
        [t('name'), t('email'), t('link'), t('expires')],
        ...links.map(({ name, email, url, expiresAt }) => [name, email, url, time(expiresAt)]),
      ],
      language,
    );
  return (
    <Stack>
      <Text role="status">{created === 0 ? t('nobody') : t(mailed ? 'mailed' : 'created', { count: created })}</Text>
      {remaining > 0 && (
        <>
          <Text fw={600} role="alert">
            {t('remaining', { count: remaining })}
          </Text>
          <ProblemAlert error={error} />
          <Action onClick={onContinue} loading={isPending} label={t('continue')} />
        </>
      )}
      {links.length > 0 && <Action icon={IconDownload} onClick={download} label={t('download')} />}
      <Action variant="default" onClick={onClose} label={t('close')} />
    </Stack>
  );
}

function LinksModal({ selection, onClose }: { selection: Selection; onClose(): void }) {
  const { t } = useReader(texts);
  const create = useCreateSigningLinks();
  const [result, setResult] = useState<SigningLinks>();
  const sendsMail = useMe().data?.sendsMail;
  const run = () => create.mutate({ selection, earlier: result }, { onSuccess: setResult });
  if (result) {
    return (
      <Dialog opened onClose={onClose} title={t('sendLinks')}>
        <Result result={result} onClose={onClose} onContinue={run} isPending={create.isPending} error={create.error} />
      </Dialog>
    );
  }
  return (
    <ConfirmModal
      onClose={onClose}
      onConfirm={run}
      title={t('sendLinks')}
      confirmLabel={t('linksConfirm')}
      pending={create.isPending}
      error={create.error}
    >
      <Stack gap="sm">
        {t('linksText')}
        {sendsMail === false && <Notice color="yellow" text={t('noMail')} />}
      </Stack>
    </ConfirmModal>
  );
}

type ContractDecision = ContractBatch['decision'];

const knownRefusals = ['already-decided', 'no-contract', 'not-possible-in-this-status'] as const;

function Preview({ preview }: { preview: ContractsPreview }) {
  const { t, formats } = useReader(texts);
  const { number } = formats;
  const { applicable, ended, refusals } = preview;
  return (
    <Stack gap="xs">
      <Text fw={600}>{applicable === 0 ? t('appliesToNobody') : t('applies', { count: applicable })}</Text>
      {ended > 0 && <Text>{t('ends', { count: ended })}</Text>}
      {refusals.length > 0 && (
        <div>
          <Text>{t('refused')}</Text>
          <List size="sm">
            {refusals.map(({ code, employees }) => (
              <List.Item key={code}>
                {t(knownRefusals.find((one) => one === code) ?? 'other', { employees: number(employees) })}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  );
}

function BatchProgress({ batch, onClose }: { batch: ContractBatch; onClose(): void }) {
  const { t, formats } = useReader(texts);
  const { number } = formats;
  const { total, decided, refused, finishedAt } = batch;
  const done = decided + refused;
  return (
    <Stack>
      <Progress
        value={(100 * done) / Math.max(1, total)}
        animated={finishedAt === null}
        aria-label={t('progressLabel')}
      />
      <Text role="status">
        {finishedAt === null
          ? t('progress', { done: number(done), total: number(total) })
          : t('finished', { count: decided })}{' '}
        {finishedAt !== null && refused > 0 && t('skipped', { count: refused })}
      </Text>
      {finishedAt === null && <Hint>{t('mayClose')}</Hint>}
      <Action variant="default" onClick={onClose} style={{ alignSelf: 'flex-end' }} label={t('close')} />
    </Stack>
  );
}

interface Props {
  decision: ContractDecision;
  selection: Selection;
  onClose(): void;
  onDone(): void;
}

function DecideModal({ decision, selection, onClose, onDone }: Props) {
  const { t } = useReader(texts);
  const client = useQueryClient();
  const [batchId, setBatchId] = useState<number>();
  const preview = useContractsPreview({ decision, ...selection });
  const decide = useDecideContracts();
  const consent = useConsent();
  const isConsent = decision === 'contract-accepted';
  const { data: batch } = useContractBatch(batchId);
  const title = t(decision === 'contract-accepted' ? 'acceptTitle' : 'rejectTitle');
  const isFinished = typeof batch?.finishedAt === 'string';
  useEffect(() => {
    if (!isFinished) return;
    for (const name of ['employees', 'overview', 'activity']) void client.invalidateQueries({ queryKey: [name] });
  }, [client, isFinished]);
  if (batch !== undefined) {
    const leave = () => {
      onDone();
      onClose();
    };
    return (
      <Dialog opened onClose={leave} title={title}>
        <BatchProgress batch={batch} onClose={leave} />
      </Dialog>
    );
  }
  const applicable = preview.data?.applicable ?? 0;
  const confirm = () =>
    decide.mutate(
      {
        decision,
        ...selection,
        ...(isConsent && consent.value ? { consent: consent.value } : {}),
        confirm: applicable,
      },
      { onSuccess: ({ id }) => setBatchId(id), onError: () => void preview.refetch() },
    );
  return (
    <ConfirmModal
      onClose={onClose}
      onConfirm={confirm}
      title={title}
      confirmLabel={t(decision === 'contract-accepted' ? 'accepted' : 'rejected')}
      danger={decision === 'contract-rejected'}
      pending={decide.isPending || preview.isPending || batchId !== undefined}
      disabled={applicable === 0}
      error={decide.error}
    >
      <ProblemAlert error={preview.error} />
      <Stack gap="sm">
        {preview.data && <Preview preview={preview.data} />}
        {isConsent && applicable > 0 && <ConsentFields consent={consent} />}
      </Stack>
    </ConfirmModal>
  );
}

type Filter = NonNullable<Selection['filter']>;

/** Returns only what narrows the list. */
const withoutEmpty = (filter: Record<string, string | readonly string[]>) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value.length > 0)) as Filter;

/**
 * Holds which employees are selected: single ones, across pages, or all that match the filters. Another filter ends the
 * selection of all.
 */
export function useEmployeeSelection(filters: Record<string, string | readonly string[]>, total: number) {
  const filter = withoutEmpty(filters);
  const key = JSON.stringify(filter);
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [allOf, setAllOf] = useState<string>();
  const isAll = allOf === key;
  const toggle = (id: number) => {
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    setIds(next);
  };
  const selection: Selection = isAll ? { filter } : { employeeIds: [...ids] };
  return {
    selection,
    isAll,
    count: isAll ? total : ids.size,
    has: (id: number) => isAll || ids.has(id),
    toggle,
    add: (more: readonly number[]) => setIds(new Set([...ids, ...more])),
    selectAll: () => setAllOf(key),
    clear() {
      setIds(new Set());
      setAllOf(undefined);
    },
  };
}

type EmployeeSelection = ReturnType<typeof useEmployeeSelection>;

/** The column with which users select employees. */
export function useSelectColumn(selected: EmployeeSelection): Column<Employee> {
  const { t } = useReader(texts);
  return {
    header: t('select'),
    render: ({ id, firstName, lastName }) => (
      <Checkbox
        aria-label={t('selectEmployee', { name: `${firstName} ${lastName}` })}
        checked={selected.has(id)}
        disabled={selected.isAll}
        onChange={() => selected.toggle(id)}
      />
    ),
  };
}

interface ContractBarProps {
  selected: EmployeeSelection;
  /** How many employees match the filters. Undefined while they are being loaded. */
  total: number | undefined;
  pageIds: readonly number[];
}

export function ContractBar({ selected, total, pageIds }: ContractBarProps) {
  const { t } = useReader(texts);
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
        <Text fw={600} role="status">
          {t('selected', { count })}
        </Text>
        {!isAll && (
          <Action size="compact-sm" variant="subtle" onClick={() => selected.add(pageIds)} label={t('selectPage')} />
        )}
        {!isAll && (
          <Action
            size="compact-sm"
            variant="subtle"
            onClick={selected.selectAll}
            label={t('selectAll', { count: total ?? 0 })}
          />
        )}
        {count > 0 && (
          <>
            <Action size="compact-sm" variant="subtle" onClick={selected.clear} label={t('clear')} />
            <Group gap="xs" ml="auto">
              <SmallAction onClick={() => setOpen('links')} label={t('sendLinks')} />
              <SmallAction onClick={() => setOpen('contract-rejected')} label={t('rejected')} />
              <Action size="compact-sm" onClick={() => setOpen('contract-accepted')} label={t('accepted')} />
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
