import { type RecordOutcome, recordOutcomes } from '../../../../src/domain/enums.ts';
import type { UpcomingType } from '../../../../src/domain/subscription/public-dates.ts';
import type { ExplainedRecord, ExplainedSync, RosterPreview } from '../../../../src/features/roster/contract.ts';
import { Action, Notice } from '../Action.tsx';
import './records.css';
import { Anchor, Box, Chip, Group, SimpleGrid, Stack, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { upcomingDay } from '../../app/i18n/formats.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { nameField } from '../../app/i18n/messages.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { useWords } from '../../app/i18n/words.ts';
import { useEmployeeNames } from '../../features/employees/api.ts';
import { StatusBadge } from '../badges.tsx';
import { ConfirmModal, type DialogState } from '../Dialog.tsx';
import { EffectsLine } from '../effects/EffectsLine.tsx';
import { MessageText } from '../MessageText.tsx';
import { Hint } from '../text.tsx';
import { Warnings } from '../warnings/Warnings.tsx';
import { texts } from './texts.ts';

interface AbsenceValue {
  startDate: string;
  endDate: string | null;
  approved: boolean;
  byHand?: true;
}

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

const isUpcoming = (value: unknown): value is { type: UpcomingType; at: string } =>
  typeof value === 'object' && value !== null && 'type' in value && 'at' in value;

/** Returns functions that format the names and values of changed fields. Unknown values are shown as in the API. */
export function useFieldValues() {
  const { t, words, formats } = useReader(texts);
  const { language } = useLanguage();

  /** The history of a subscription names its fields without the prefix. */
  const nameOf = (field: string) => nameField(field, language) ?? nameField(`subscription.${field}`, language) ?? field;
  const absence = ({ startDate, endDate, approved, byHand }: AbsenceValue) => {
    const span = `${formats.date(startDate)} – ${endDate === null ? t('openEnd') : formats.date(endDate)}`;
    return approved ? `${span}${byHand ? ` (${t('byHand')})` : ''}` : `${span} (${t('notApproved')})`;
  };
  const listed: Record<string, Record<string, string>> = {
    'subscription.status': words.subscriptionStatus,
    'plan.type': words.plan,
    'plan.contractSigningStatus': words.contract,
  };

  /** Returns undefined if there is no value. */
  function formatValue(field: string, value: unknown): string | undefined {
    if (field === 'autoSyncEmployee') {
      return t(value === true ? 'yes' : value === false ? 'no' : 'notSpecified');
    }
    if (value === null || value === undefined || value === '') return undefined;
    if (Array.isArray(value)) {
      const items = value.map((one) =>
        typeof one === 'object'
          ? absence(one as AbsenceValue)
          : field === 'setByHand'
            ? nameOf(String(one))
            : (listed[field]?.[one] ?? String(one)),
      );
      return items.length === 0 ? undefined : items.join(', ');
    }
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') {
      return /contribution/i.test(field) ? formats.money(value) : formats.number(value);
    }
    if (isDay(value)) return formats.date(value);
    if (isUpcoming(value)) return `${words.upcoming[value.type]} ${formats.date(upcomingDay(value))}`;
    return listed[field]?.[String(value)] ?? String(value);
  }

  return { nameField: nameOf, formatValue };
}

interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

const shownAtOnce = 4;

/** Renders the old and new value of one field. If there was no old value, renders only the new one. */
function ChangeLine({ field, from, to }: FieldChange) {
  const { t } = useReader(texts);
  const { nameField, formatValue } = useFieldValues();
  const [before, after] = [formatValue(field, from), formatValue(field, to)];
  return (
    <Text component="li" className="breakable">
      <Text span inherit c="dimmed">
        {nameField(field)}:{' '}
      </Text>
      {before !== undefined && (
        <>
          <VisuallyHidden>{t('from')} </VisuallyHidden>
          <Text span inherit c="dimmed" td={after === undefined ? 'line-through' : undefined}>
            {before}
          </Text>
          <span aria-hidden> → </span>
          <VisuallyHidden>, {t('to')} </VisuallyHidden>
        </>
      )}
      <Text span inherit fw={500}>
        {after ?? '–'}
      </Text>
    </Text>
  );
}

/** Renders changed fields with old and new values. A long list starts collapsed. */
export function ChangeList({ changes }: { changes: readonly FieldChange[] }) {
  const { t } = useReader(texts);
  const [isOpen, setOpen] = useState(false);
  if (changes.length === 0) return null;
  const rest = changes.length - shownAtOnce;
  const isFolded = rest > 1 && !isOpen;
  return (
    <div>
      <ul className="plain-list">
        {(isFolded ? changes.slice(0, shownAtOnce) : changes).map((change) => (
          <ChangeLine key={change.field} {...change} />
        ))}
      </ul>
      {rest > 1 && (
        <Action
          variant="subtle"
          size="compact-xs"
          ml={-8}
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
          mt={2}
          label={isOpen ? t('showLess') : t('more', { count: rest })}
        />
      )}
    </div>
  );
}

const names = ['created', 'updated', 'unchanged', 'offboarded', 'held', 'failed'] as const;
const attention: Partial<Record<(typeof names)[number], string>> = { held: 'orange', failed: 'red' };

/** Renders the counts of what a sync did or would do. */
export function Counts({ counts }: { counts: ExplainedSync['counts'] }) {
  const { t, formats } = useReader(texts);
  const { number } = formats;
  return (
    <SimpleGrid component="dl" cols={{ base: 3, sm: 6 }} spacing="sm" verticalSpacing="md" m={0}>
      {names.map((name) => {
        const hue = attention[name];
        const colour = counts[name] === 0 ? 'dimmed' : hue ? `var(--mantine-color-${hue}-light-color)` : 'inherit';
        return (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed" fw={500}>
              {t(name)}
            </Text>
            <Text component="dd" m={0} fz={20} fw={650} lh={1.3} className="figures" c={colour}>
              {number(counts[name])}
            </Text>
          </div>
        );
      })}
    </SimpleGrid>
  );
}

type Names = ReturnType<typeof useEmployeeNames>;

/** Returns the name that a roster gives to a new employee, or undefined. */
function newName({ changes }: ExplainedRecord): string | undefined {
  const parts = ['firstName', 'lastName'].map((field) => changes.find((change) => change.field === field)?.to);
  return parts.every((part) => typeof part === 'string') ? parts.join(' ') : undefined;
}

/** Renders the name of an employee, then the HR id. */
function RecordEmployee({ record, names }: { record: ExplainedRecord; names: Names }) {
  const { t } = useReader(texts);
  const { hrId, employeeId } = record;
  const isGone = employeeId !== null && names !== undefined && !names.has(employeeId);
  const name = (employeeId === null ? undefined : names?.get(employeeId)) ?? newName(record);
  const isLinked = employeeId !== null && !isGone;
  return (
    <Stack gap={2} align="flex-start">
      {isLinked ? (
        <Anchor component={Link} to={`/employees/${employeeId}`} fw={600} className="breakable">
          {name ?? t('employee', { id: String(employeeId) })}
        </Anchor>
      ) : (
        name !== undefined && (
          <Text fw={600} className="breakable">
            {name}
          </Text>
        )
      )}
      <Text {...(name === undefined && !isLinked ? { fw: 600 } : { size: 'xs', c: 'dimmed' })} className="breakable">
        {hrId}
      </Text>
      {isGone && (
        <Text size="xs" c="dimmed">
          {t('employee', { id: String(employeeId) })}, {t('gone')}
        </Text>
      )}
    </Stack>
  );
}

function RecordReason({ record }: { record: ExplainedRecord }) {
  const { t, formats } = useReader(texts);
  const causes: Record<string, string> = useWords().cause;
  return (
    <Stack gap={6}>
      <Text>
        <MessageText message={record.message} detail={record.detail} />
      </Text>
      {record.reasons.map(({ cause, rule, detail, message, effectiveAt }) => (
        <Box key={`${rule} ${effectiveAt}`}>
          <Text fw={500}>
            {causes[cause] ?? t('hrSystem')}
            <Text span inherit c="dimmed" fw={400}>
              {' · '}
              {t('takesEffect', { date: formats.date(effectiveAt) })}
            </Text>
          </Text>
          <Text c="dimmed">
            <MessageText message={message} detail={detail} />
          </Text>
        </Box>
      ))}
    </Stack>
  );
}

/** Renders the outcome of single entries, actual or planned: the employee, what changed, and why. */
export function RecordList({ records, label }: { records: readonly ExplainedRecord[]; label: string }) {
  const names = useEmployeeNames(records.flatMap(({ employeeId }) => employeeId ?? []));
  return (
    <Box component="ul" className="plain-list" aria-label={label}>
      {records.map((record) => (
        <Box component="li" key={`${record.hrId} ${record.outcome}`} className="lined record" px="lg" py="sm">
          <Group gap="xs" justify="space-between" align="flex-start" wrap="nowrap">
            <RecordEmployee record={record} names={names} />
            <StatusBadge of="recordOutcome" word={record.outcome} />
          </Group>
          <ChangeList changes={record.changes} />
          <RecordReason record={record} />
        </Box>
      ))}
    </Box>
  );
}

interface OutcomeFilterProps {
  label: string;
  counts: ExplainedSync['counts'];
  chosen: RecordOutcome[];
  onChange(chosen: RecordOutcome[]): void;
}

/** Narrows a list of records to some outcomes, of those that occur. */
export function OutcomeFilter({ label, counts, chosen, onChange }: OutcomeFilterProps) {
  const { words, formats } = useReader();
  return (
    <Group gap={6} role="group" aria-label={label}>
      <Chip.Group multiple value={chosen} onChange={(next) => onChange(next as RecordOutcome[])}>
        {recordOutcomes
          .filter((outcome) => counts[outcome] > 0 || chosen.includes(outcome))
          .map((outcome) => (
            <Chip key={outcome} value={outcome} size="xs" variant="outline">
              {words.recordOutcome[outcome]} ({formats.number(counts[outcome])})
            </Chip>
          ))}
      </Chip.Group>
    </Group>
  );
}

/** Returns how many employees a roster would change. */
export const countChanges = ({ created, updated, offboarded, held, failed }: ExplainedSync['counts']) =>
  created + updated + offboarded + held + failed;

interface PreviewProps {
  preview: RosterPreview;
  /** How many entries there are. */
  summary: ReactNode;
  held: string;
}

/**
 * Renders what a roster would do, in figures and with what deserves attention. What nobody expects of a roster stands
 * first: people who come back, and what it costs.
 */
export function PreviewOutcome({ preview, summary, held }: PreviewProps) {
  const { t, formats } = useReader(texts);
  const { counts, reactivated, newFees, warnings } = preview;
  const notice = (text: string, colour: string) => <Notice color={colour} py="xs" text={<Text>{text}</Text>} />;
  const fees = newFees && {
    count: newFees.employees,
    perMonth: formats.money(newFees.perMonth.value),
    perEmployee: formats.money(newFees.perEmployee.value),
  };
  return (
    <>
      <EffectsLine effects={preview.effects} />
      <Hint>{summary}</Hint>
      {reactivated > 0 && notice(t('reactivated', { count: reactivated }), 'orange')}
      {fees && notice(t('newFees', fees), 'blue')}
      <Counts counts={counts} />
      {counts.held > 0 && notice(held, 'orange')}
      {counts.offboarded > 0 && notice(t('leaving', { count: counts.offboarded }), 'yellow')}
      {counts.failed > 0 && notice(t('failing', { count: counts.failed }), 'red')}
      <Warnings warnings={warnings} />
    </>
  );
}

interface Props extends DialogState {
  preview: RosterPreview;
  onConfirm(): void;
}

/** Asks for the number of people who would come back, as the approval of removals does. */
export function ConfirmReactivation({ preview: { reactivated }, ...modal }: Props) {
  const { t } = useReader(texts);
  return (
    <ConfirmModal
      {...modal}
      title={t('reactivateTitle')}
      confirmLabel={t('reactivateConfirm')}
      typed={String(reactivated)}
    >
      {t('reactivated', { count: reactivated })}
    </ConfirmModal>
  );
}
