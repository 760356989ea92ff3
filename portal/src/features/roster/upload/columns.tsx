import { type ColumnField, columnFields, requiredColumns } from '../../../../../src/domain/choices.ts';
import type { RosterTable } from '../../../../../src/features/roster/contract.ts';
import { Action } from '../../../ui/Action.tsx';
import { PlainSection } from '../../../ui/layout.tsx';
import { Hint } from '../../../ui/text.tsx';
import './columns.css';
import { Alert, Badge, Card, Group, Select, Stack, Text } from '@mantine/core';
import { useReader } from '../../../app/i18n/reader.ts';
import { IconAlertTriangle } from '../../../ui/icons.gen.ts';
import { useFieldValues } from '../../../ui/records/records.tsx';
import { texts } from './texts.ts';

export type Choice = ColumnField | 'ignore';

/** A table may have several columns of these, such as those of two leaves. */
const repeatable: readonly Choice[] = ['ignore', 'absenceStart', 'absenceEnd'];

export const suggestedChoices = ({ columns }: RosterTable): Choice[] => columns.map(({ field }) => field ?? 'ignore');

const findMissing = (choices: readonly Choice[]) =>
  requiredColumns.filter((column) => !choices.includes(column as Choice)) as ColumnField[];

const findRepeated = (choices: readonly Choice[]) =>
  [...new Set(choices)].filter(
    (one) => !repeatable.includes(one) && choices.indexOf(one) !== choices.lastIndexOf(one),
  ) as ColumnField[];

/** Returns whether a file can be read with these columns. */
const isComplete = (choices: readonly Choice[]) =>
  findMissing(choices).length === 0 && findRepeated(choices).length === 0;

/** Returns whether nothing is left to ask: every column is known, and together they are complete. */
export const isKnown = (table: RosterTable) =>
  table.columns.every(({ source }) => source !== null) && isComplete(suggestedChoices(table));

/** Returns the names of what a column may contain. */
function useColumnNames() {
  const { t } = useReader(texts);
  const { nameField } = useFieldValues();
  return (field: ColumnField) =>
    field === 'absenceStart' || field === 'absenceEnd' ? t(field) : field === 'hrId' ? t('hrIdName') : nameField(field);
}

interface Props {
  table: RosterTable;
  choices: readonly Choice[];
  onChange(choices: Choice[]): void;
  onContinue(): void;
}

export function Columns({ table, choices, onChange, onContinue }: Props) {
  const { t } = useReader(texts);
  const name = useColumnNames();
  const list = (fields: ColumnField[]) => fields.map(name).join(', ');
  const [missing, repeated] = [findMissing(choices), findRepeated(choices)];
  const options = [
    { value: 'ignore', label: t('ignore') },
    ...columnFields.map((value) => ({ value, label: name(value) })),
  ];
  return (
    <PlainSection
      title={t('columnsTitle')}
      hint={t('columnsHint', { count: table.rowCount, row: String(table.headingRow) })}
    >
      {!isComplete(choices) && (
        <Alert color="orange" role="status" icon={<IconAlertTriangle size={18} />} py="xs">
          {missing.length > 0 && <Text>{t('missingColumns', { columns: list(missing) })}</Text>}
          {repeated.length > 0 && <Text>{t('repeatedColumns', { columns: list(repeated) })}</Text>}
        </Alert>
      )}
      <Card padding={0}>
        <ul className="plain-list" aria-label={t('columnsTitle')}>
          {table.columns.map(({ heading, source, samples }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file never move, and may have equal headings.
            <li key={index} className="lined roster-column">
              <Stack gap={2} align="flex-start">
                <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {heading || t('unnamedColumn', { number: String(index + 1) })}
                </Text>
                {source !== null && (
                  <Badge size="xs" color="gray" variant="light">
                    {t(source)}
                  </Badge>
                )}
              </Stack>
              <Select
                aria-label={t('contains', { heading: heading || t('unnamedColumn', { number: String(index + 1) }) })}
                data={options}
                value={choices[index] ?? 'ignore'}
                onChange={(value) => onChange(choices.map((one, at) => (at === index ? (value as Choice) : one)))}
                allowDeselect={false}
                maxDropdownHeight={360}
              />
              <Hint className="roster-samples">
                {samples.filter((sample) => sample !== '').join(' · ') || t('noSamples')}
              </Hint>
            </li>
          ))}
        </ul>
      </Card>
      <Group gap="xs">
        <Action onClick={onContinue} disabled={!isComplete(choices)} label={t('toPreview')} />
        <Hint>{t('willRemember')}</Hint>
      </Group>
    </PlainSection>
  );
}
