import { Card, Checkbox, Group, List, Menu, Stack, Text } from '@mantine/core';
import { IconChevronUp, IconDownload } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { type RequestAction, requestActions } from '../../../../src/domain/enums.ts';
import type {
  ContractsPreview,
  DecideContractsBody,
  SigningLinks,
} from '../../../../src/features/contracts/contract.ts';
import type { EmployeeSelection as EmployeesSelection } from '../../../../src/features/employees/contract.ts';
import type { Batch } from '../../../../src/features/subscriptions/batches/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { usePost } from '../../app/api/queries.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, Notice, SmallAction } from '../../ui/Action.tsx';
import { ConsentFields, useConsent } from '../../ui/consent/ConsentFields.tsx';
import { ConfirmModal, Dialog } from '../../ui/Dialog.tsx';
import { EffectsLine } from '../../ui/effects/EffectsLine.tsx';
import { downloadCsv } from '../../ui/export.tsx';
import { LettersModal } from '../../ui/letters/LettersModal.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import type { Column } from '../../ui/table.tsx';
import { BatchResult } from '../subscriptions/BatchResult.tsx';
import { type Selection, useContractsPreview, useCreateSigningLinks, usePrintLetters } from './api.ts';
import { texts } from './texts.ts';

/** Loaded when it is opened: most selections are about something else. */
const BatchModal = lazy(async () => ({ default: (await import('../subscriptions/BatchModal.tsx')).BatchModal }));
const InviteModal = lazy(async () => ({ default: (await import('../joining/InviteModal.tsx')).InviteModal }));

interface LinksProps {
  selection: Selection;
  /** Reminds of links that exist, instead of creating new ones. */
  isReminder: boolean;
  onClose(): void;
}

export function LinksModal({ selection, isReminder, onClose }: LinksProps) {
  const { t, formats } = useReader(texts);
  const { language } = useLanguage();
  const create = useCreateSigningLinks(isReminder ? '/contracts/reminders' : '/contracts/links');
  const [result, setResult] = useState<SigningLinks>();
  const sendsMail = useMe().data?.sendsMail;
  const intro = selection.employeeIds?.length === 1 ? 'linkText' : 'linksText';
  const run = () => create.mutate({ selection, earlier: result }, { onSuccess: setResult });
  const { isPending, error } = create;
  const title = t(isReminder ? 'remind' : 'sendLinks');
  if (result === undefined) {
    return (
      <ConfirmModal
        onClose={onClose}
        onConfirm={run}
        title={title}
        confirmLabel={t(isReminder ? 'remindConfirm' : 'linksConfirm')}
        pending={isPending}
        error={error}
      >
        <Stack gap="sm">
          {t(isReminder ? 'remindText' : intro)}
          {sendsMail === false && <Notice color="yellow" text={t('noMail')} />}
        </Stack>
      </ConfirmModal>
    );
  }
  const { created, mailed, links, remaining } = result;
  const rows = links.map(({ name, email, url, expiresAt }) => [name, email, url, formats.time(expiresAt)]);
  const download = () =>
    downloadCsv(t('fileName'), [[t('name'), t('email'), t('link'), t('expires')], ...rows], language);
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Stack>
        <Text role="status">
          {created === 0
            ? t(isReminder ? 'nobodyToRemind' : 'nobody')
            : t(mailed ? 'mailed' : 'created', { count: created })}
        </Text>
        {remaining > 0 && (
          <>
            <Text fw={600} role="alert">
              {t('remaining', { count: remaining })}
            </Text>
            <ProblemAlert error={error} />
            <Action onClick={run} loading={isPending} label={t('continue')} />
          </>
        )}
        {links.length > 0 && <Action icon={IconDownload} onClick={download} label={t('download')} />}
        <Action variant="default" onClick={onClose} label={t('close')} />
      </Stack>
    </Dialog>
  );
}

type ContractDecision = DecideContractsBody['decision'];

const knownRefusals = ['already-decided', 'no-contract', 'not-possible-in-this-status'] as const;

function Preview({ preview: { applicable, effects, refusals } }: { preview: ContractsPreview }) {
  const { t, formats } = useReader(texts);
  return (
    <Stack gap="xs">
      {applicable > 0 && <EffectsLine effects={effects} />}
      <Text>{applicable === 0 ? t('appliesToNobody') : t('applies', { count: applicable })}</Text>
      {refusals.length > 0 && (
        <div>
          <Text>{t('refused')}</Text>
          <List size="sm">
            {refusals.map(({ code, employees }) => (
              <List.Item key={code}>
                {t(knownRefusals.find((one) => one === code) ?? 'other', { employees: formats.number(employees) })}
              </List.Item>
            ))}
          </List>
        </div>
      )}
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
  const [batchId, setBatchId] = useState<number>();
  const preview = useContractsPreview({ decision, ...selection });
  const decide = usePost<Batch, DecideContractsBody>('/contracts/decisions', []);
  const consent = useConsent();
  const isConsent = decision === 'contract-accepted';
  const title = t(isConsent ? 'acceptTitle' : 'rejectTitle');
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
  const applicable = preview.data?.applicable ?? 0;
  const given = isConsent && consent.value ? { consent: consent.value } : {};
  const confirm = () =>
    decide.mutate(
      { decision, ...selection, ...given, confirm: applicable },
      { onSuccess: ({ id }) => setBatchId(id), onError: () => void preview.refetch() },
    );
  return (
    <ConfirmModal
      onClose={onClose}
      onConfirm={confirm}
      title={title}
      confirmLabel={t(isConsent ? 'accepted' : 'rejected')}
      danger={!isConsent}
      pending={decide.isPending || preview.isPending}
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

/**
 * Holds which employees are selected: single ones, across pages, or all that match the filters. Another filter ends the
 * selection of all.
 */
export function useEmployeeSelection(filters: Record<string, string | number | readonly string[]>, total: number) {
  // Only what narrows the list.
  const filter = Object.fromEntries(
    Object.entries(filters).filter(([, value]) => typeof value === 'number' || value.length > 0),
  );
  const key = JSON.stringify(filter);
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [allOf, setAllOf] = useState<string>();
  const isAll = allOf === key;
  const selection: Selection = isAll
    ? { filter: filter as NonNullable<Selection['filter']> }
    : { employeeIds: [...ids] };
  return {
    selection,
    isAll,
    count: isAll ? total : ids.size,
    has: (id: number) => isAll || ids.has(id),
    toggle: (id: number) => setIds(ids.symmetricDifference(new Set([id]))),
    setMany: (many: readonly number[], isSelected: boolean) =>
      setIds(isSelected ? ids.union(new Set(many)) : ids.difference(new Set(many))),
    selectAll: () => setAllOf(key),
    clear() {
      setIds(new Set());
      setAllOf(undefined);
    },
  };
}

type EmployeeSelection = ReturnType<typeof useEmployeeSelection>;

/** The column with which users select employees. */
export function useSelectColumn<T extends { firstName: string; lastName: string }>(
  selected: EmployeeSelection,
  rows: readonly T[],
  idOf: (row: T) => number,
): Column<T> {
  const { t } = useReader(texts);
  const chosen = rows.filter((row) => selected.has(idOf(row))).length;
  const isWhole = rows.length > 0 && chosen === rows.length;
  return {
    header: t('select'),
    head: (
      <Checkbox
        aria-label={t('selectPage')}
        checked={isWhole}
        indeterminate={chosen > 0 && !isWhole}
        disabled={selected.isAll || rows.length === 0}
        onChange={() => selected.setMany(rows.map(idOf), !isWhole)}
      />
    ),
    render: (row) => (
      <Checkbox
        aria-label={t('selectEmployee', { name: `${row.firstName} ${row.lastName}` })}
        checked={selected.has(idOf(row))}
        disabled={selected.isAll}
        onChange={() => selected.toggle(idOf(row))}
      />
    ),
  };
}

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
  const [open, setOpen] = useState<ContractDecision | RequestAction | 'links' | 'reminders' | 'letters' | 'invite'>();
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
      {open === 'invite' && (
        <Suspense>
          <InviteModal selection={selection as EmployeesSelection} onClose={close} />
        </Suspense>
      )}
      {action && (
        <Suspense>
          <BatchModal
            action={action}
            selection={selection as EmployeesSelection}
            onClose={close}
            onDone={selected.clear}
          />
        </Suspense>
      )}
    </>
  );
}
