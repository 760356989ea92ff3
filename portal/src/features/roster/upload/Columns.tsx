import { type ColumnField, columnFields } from '../../../../../src/domain/choices.ts';
import type { RosterTable } from '../../../../../src/features/roster/contract.ts';
import './columns.css';
import { Alert, Badge, Button, Card, Group, Select, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useFieldValues } from '../../../ui/records/field-values.ts';
import { type Choice, findMissing, findRepeated, isComplete } from './columns.ts';
import { texts } from './texts.ts';

/** Returns the names of what a column may contain. */
function useColumnNames() {
  const t = useTexts(texts);
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

function Problems({ choices }: Pick<Props, 'choices'>) {
  const t = useTexts(texts);
  const name = useColumnNames();
  const [missing, repeated] = [findMissing(choices), findRepeated(choices)];
  if (missing.length + repeated.length === 0) return null;
  const list = (fields: ColumnField[]) => fields.map(name).join(', ');
  return (
    <Alert color="orange" role="status" icon={<IconAlertTriangle size={18} />} py="xs">
      {missing.length > 0 && <Text size="sm">{t('missingColumns', { columns: list(missing) })}</Text>}
      {repeated.length > 0 && <Text size="sm">{t('repeatedColumns', { columns: list(repeated) })}</Text>}
    </Alert>
  );
}

/** Lets the user say what each column of the file contains, beside its first cells. */
export function Columns({ table, choices, onChange, onContinue }: Props) {
  const t = useTexts(texts);
  const name = useColumnNames();
  const options = [
    { value: 'ignore', label: t('ignore') },
    ...columnFields.map((value) => ({ value, label: name(value) })),
  ];
  return (
    <Stack component="section" gap="sm" aria-labelledby="columns">
      <div>
        <Title order={2} id="columns">
          {t('columnsTitle')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('columnsHint', { count: table.rowCount, row: String(table.headingRow) })}
        </Text>
      </div>
      <Problems choices={choices} />
      <Card padding={0}>
        <ul className="plain-list" aria-label={t('columnsTitle')}>
          {table.columns.map(({ heading, source, samples }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file never move, and may have equal headings.
            <li key={index} className="lined roster-column">
              <Stack gap={2} align="flex-start">
                <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
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
              <Text size="sm" c="dimmed" className="roster-samples">
                {samples.filter((sample) => sample !== '').join(' · ') || t('noSamples')}
              </Text>
            </li>
          ))}
        </ul>
      </Card>
      <Group gap="xs">
        <Button onClick={onContinue} disabled={!isComplete(choices)}>
          {t('toPreview')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('willRemember')}
        </Text>
      </Group>
    </Stack>
  );
}
