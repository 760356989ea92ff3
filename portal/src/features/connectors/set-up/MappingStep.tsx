import { Button, Group, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ConnectionCheck, Mapping } from '../../../../../src/features/connectors/pull/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { useFieldValues } from '../../../ui/records/field-values.ts';
import { Section } from '../../../ui/Section.tsx';
import { AbsenceRules } from './AbsenceRules.tsx';
import { AutoSyncRule } from './AutoSyncRule.tsx';
import { listAttributes } from './attributes.ts';
import { Conditions } from './Conditions.tsx';
import { texts } from './texts.ts';

const requiredFields = ['hrId', 'firstName', 'lastName', 'email'] as const;
const optionalFields = ['startDate', 'terminationDate', 'dateOfBirth', 'profileImage', 'personnelNumber'] as const;

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <div>
        <Title order={3}>{title}</Title>
        {hint !== undefined && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  );
}

interface Props {
  initial: Mapping;
  check: ConnectionCheck | undefined;
  title: string;
  pending: boolean;
  error: unknown;
  onSave(mapping: Mapping): void;
  onBack(): void;
}

/** Edits the rules that turn a record of the HR system into an entry of the roster. */
export function MappingStep({ initial, check, title, pending, error, onSave, onBack }: Props) {
  const t = useTexts(texts);
  const { nameField } = useFieldValues();
  const [mapping, setMapping] = useState(initial);
  const attributes = listAttributes(check ?? { fields: [] }, mapping);
  const change = (part: Partial<Mapping>) => setMapping({ ...mapping, ...part });
  const select = (field: (typeof requiredFields | typeof optionalFields)[number], isOptional: boolean) => (
    <Select
      key={field}
      label={nameField(field)}
      data={[...attributes]}
      value={mapping.fields[field] ?? null}
      onChange={(value) => change({ fields: { ...mapping.fields, [field]: value } as Mapping['fields'] })}
      searchable
      {...(isOptional ? { clearable: true, placeholder: t('notRead') } : { allowDeselect: false })}
    />
  );
  return (
    <Section title={t('mappingTitle')}>
      <Stack gap="xl">
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('mappingHint', { provider: title })}
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
            {requiredFields.map((field) => select(field, false))}
            {optionalFields.map((field) => select(field, true))}
          </SimpleGrid>
        </Stack>
        <Part title={t('includeTitle')} hint={t('includeHint')}>
          <Conditions
            conditions={mapping.include}
            attributes={attributes}
            onChange={(include) => change({ include })}
          />
        </Part>
        <Part title={t('autoSyncTitle')}>
          <AutoSyncRule
            rule={mapping.autoSyncEmployee}
            attributes={attributes}
            onChange={(autoSyncEmployee) => change({ autoSyncEmployee })}
          />
        </Part>
        <Part title={t('absencesTitle')} hint={t('absencesHint')}>
          <AbsenceRules
            rules={mapping.absences}
            types={check?.absenceTypes ?? []}
            onChange={(absences) => change({ absences })}
          />
        </Part>
        <ProblemAlert error={error} />
        <Group gap="xs">
          <Button onClick={() => onSave(mapping)} loading={pending}>
            {t('saveMapping')}
          </Button>
          <Button variant="default" onClick={onBack} disabled={pending}>
            {t('back')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
