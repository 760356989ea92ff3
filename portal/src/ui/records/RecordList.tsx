import type { ExplainedRecord } from '../../../../src/features/roster/contract.ts';
import './records.css';
import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { useEmployeeNames } from '../../features/employees/api.ts';
import { MessageText } from '../MessageText.tsx';
import { StatusBadge } from '../StatusBadge.tsx';
import { ChangeList } from './ChangeList.tsx';
import { texts } from './texts.ts';

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
