import type { UpcomingType } from '../../../../src/domain/subscription/public-dates.ts';
import type { ExplainedRecord, ExplainedSync, RosterPreview } from '../../../../src/features/roster/contract.ts';
import './records.css';
import { Alert, Anchor, Box, Button, Group, SimpleGrid, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';

import { fieldsDe } from '../../app/i18n/fields.de.ts';
import { fieldsEn } from '../../app/i18n/fields.en.ts';
import { upcomingDay, useFormats } from '../../app/i18n/formats.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { useEmployeeNames } from '../../features/employees/api.ts';
import { StatusBadge } from '../badges.tsx';
import { ConfirmModal } from '../Dialog.tsx';
import { MessageText } from '../MessageText.tsx';
import { texts } from './texts.ts';

interface AbsenceValue {
  startDate: string;
  endDate: string | null;
  approved: boolean;
}

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

const isUpcoming = (value: unknown): value is { type: UpcomingType; at: string } =>
  typeof value === 'object' && value !== null && 'type' in value && 'at' in value;

/** Returns functions that format the names and values of changed fields. Unknown values are shown as in the API. */
export function useFieldValues() {
  const t = useTexts(texts);
  const words = useWords();
  const formats = useFormats();
  const isGerman = useLanguage().language === 'de';
  const fields: Record<string, string> = isGerman ? fieldsDe : fieldsEn;

  const absence = ({ startDate, endDate, approved }: AbsenceValue) => {
    const span = `${formats.date(startDate)} – ${endDate === null ? t('open') : formats.date(endDate)}`;
    return approved ? span : `${span} (${t('notApproved')})`;
  };
  const listed: Record<string, Record<string, string>> = {
    'subscription.status': words.subscriptionStatus,
    'plan.type': words.plan,
    'plan.contractSigningStatus': words.contract,
  };

  /** Returns undefined if there is no value. */
  function formatValue(field: string, value: unknown): string | undefined {
    if (field === 'autoSyncEmployee') {
      return t(value === true ? 'subscribe' : value === false ? 'doNotSubscribe' : 'notSpecified');
    }
    if (value === null || value === undefined || value === '') return undefined;
    if (Array.isArray(value)) {
      const items = value.map((one) =>
        typeof one === 'object' ? absence(one as AbsenceValue) : (listed[field]?.[one] ?? String(one)),
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

  return {
    /** The history of a subscription names its fields without the prefix. */
    nameField: (field: string) => fields[field] ?? fields[`subscription.${field}`] ?? field,
    formatValue,
  };
}

interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

const shownAtOnce = 4;

/** Renders the old and new value of one field. If there was no old value, renders only the new one. */
function ChangeLine({ field, from, to }: FieldChange) {
  const t = useTexts(texts);
  const { nameField, formatValue } = useFieldValues();
  const [before, after] = [formatValue(field, from), formatValue(field, to)];
  return (
    <Text component="li" size="sm" style={{ overflowWrap: 'anywhere' }}>
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
  const t = useTexts(texts);
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
        <Button
          variant="subtle"
          size="compact-xs"
          ml={-8}
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
          mt={2}
        >
          {isOpen ? t('less') : t('more', { count: rest })}
        </Button>
      )}
    </div>
  );
}

const names = ['created', 'updated', 'unchanged', 'offboarded', 'held', 'failed'] as const;
const attention: Partial<Record<(typeof names)[number], string>> = { held: 'orange', failed: 'red' };

/** Renders the counts of what a sync did or would do. */
export function Counts({ counts }: { counts: ExplainedSync['counts'] }) {
  const t = useTexts(texts);
  const { number } = useFormats();
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

function RecordEmployee({ record: { hrId, employeeId }, names }: { record: ExplainedRecord; names: Names }) {
  const t = useTexts(texts);
  const isGone = employeeId !== null && names !== undefined && !names.has(employeeId);
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {hrId}
      </Text>
      {isGone && (
        <Text size="xs" c="dimmed">
          {t('employee', { id: String(employeeId) })}, {t('gone')}
        </Text>
      )}
      {employeeId !== null && !isGone && (
        <Anchor component={Link} to={`/employees/${employeeId}`} size="sm">
          {names?.get(employeeId) ?? t('employee', { id: String(employeeId) })}
        </Anchor>
      )}
    </Stack>
  );
}

function RecordReason({ record }: { record: ExplainedRecord }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const causes: Record<string, string> = useWords().cause;
  return (
    <Stack gap={6}>
      <Text size="sm">
        <MessageText message={record.message} detail={record.detail} />
      </Text>
      {record.reasons.map(({ cause, rule, detail, message, effectiveAt }) => (
        <Box key={`${rule} ${effectiveAt}`}>
          <Text size="sm" fw={500}>
            {causes[cause] ?? t('hrSystem')}
            <Text span inherit c="dimmed" fw={400}>
              {' · '}
              {t('takesEffect', { date: formats.date(effectiveAt) })}
            </Text>
          </Text>
          <Text size="sm" c="dimmed">
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

/** Says first what a sync would do that nobody expects of a roster: people who come back, and what it costs. */
export function Effects({ preview: { reactivated, newFees } }: { preview: RosterPreview }) {
  const t = useTexts(texts);
  const formats = useFormats();
  return (
    <>
      {reactivated > 0 && (
        <Alert color="orange" py="xs">
          <Text size="sm">{t('reactivated', { count: reactivated })}</Text>
        </Alert>
      )}
      {newFees && (
        <Alert color="blue" py="xs">
          <Text size="sm">
            {t('newFees', {
              count: newFees.employees,
              perMonth: formats.money(newFees.perMonth.value),
              perEmployee: formats.money(newFees.perEmployee.value),
            })}
          </Text>
        </Alert>
      )}
    </>
  );
}

interface Props {
  preview: RosterPreview;
  opened: boolean;
  onClose(): void;
  onConfirm(): void;
}

/** Asks for the number of people who would come back, as the approval of removals does. */
export function ConfirmReactivation({ preview: { reactivated }, opened, onClose, onConfirm }: Props) {
  const t = useTexts(texts);
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      onConfirm={onConfirm}
      title={t('reactivateTitle')}
      confirmLabel={t('reactivateConfirm')}
      typed={String(reactivated)}
    >
      {t('reactivated', { count: reactivated })}
    </ConfirmModal>
  );
}
