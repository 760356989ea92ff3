import {
  ActionIcon,
  Autocomplete,
  Badge,
  Checkbox,
  Group,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Title,
} from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ConnectionCheck, Mapping } from '../../../../../src/features/connectors/pull/contract.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, SmallAction } from '../../../ui/Action.tsx';
import { IconPlus, IconTrash } from '../../../ui/icons.gen.ts';
import { Section } from '../../../ui/layout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { useFieldValues } from '../../../ui/records/records.tsx';
import { Hint } from '../../../ui/text.tsx';
import { ConnectionProblems } from './credentials.tsx';
import { RequestsPart } from './rest.tsx';
import { texts } from './texts.ts';

/** The attributes to choose from. Of any REST API, each may be an expression. */
interface Attributes {
  options: { value: string; label: string }[];
  areExpressions: boolean;
}

interface AttributeInputProps {
  label: string;
  attributes: Attributes;
  value: string | null;
  /** Absent: it is required. */
  placeholder?: string;
  onChange(value: string | null): void;
}

/** Chooses an attribute, or takes an expression. */
function AttributeInput({ label, attributes, value, placeholder, onChange }: AttributeInputProps) {
  const isOptional = placeholder !== undefined;
  const props = { label, placeholder: placeholder ?? '', className: 'attribute-input' };
  if (attributes.areExpressions) {
    const data = [...new Set(attributes.options.map((option) => option.value))];
    const change = (text: string) => onChange(isOptional && text === '' ? null : text);
    return <Autocomplete {...props} data={data} value={value ?? ''} onChange={change} spellCheck={false} />;
  }
  return (
    <Select
      {...props}
      data={attributes.options}
      value={value}
      onChange={(chosen) => (isOptional || chosen !== null) && onChange(chosen)}
      searchable
      {...(isOptional ? { clearable: true } : { allowDeselect: false })}
    />
  );
}

/** Returns the released attributes, and those that the mapping names, which may be withheld. */
function listAttributes({ fields }: Pick<ConnectionCheck, 'fields'>, mapping: Mapping): Attributes {
  const labels = new Map(fields.map(({ name, label }) => [name, label === name ? name : `${label} (${name})`]));
  const named = [
    ...Object.values(mapping.fields),
    ...mapping.include.map(({ attribute }) => attribute),
    mapping.autoSyncEmployee?.attribute ?? null,
  ];
  for (const name of named) if (name !== null && name !== '' && !labels.has(name)) labels.set(name, name);
  const options = [...labels].map(([value, label]) => ({ value, label }));
  return { options, areExpressions: mapping.requests !== undefined };
}

/**
 * Absences of months rather than days, in German and English. Only these pause a subscription, so the others need not
 * be read.
 */
const longAbsence =
  /eltern|mutterschutz|sabbat|unbezahlt|langzeit|krankengeld|pflegezeit|parental|matern|patern|unpaid|long.?term|care leave/i;

interface AbsenceProps {
  rules: Mapping['absences'];
  types: ConnectionCheck['absenceTypes'];
  onChange(rules: Mapping['absences']): void;
}

/**
 * Edits which absences count. Suggests the types that last for months.
 * @public for the test of its words
 */
export function AbsenceRules({ rules, types, onChange }: AbsenceProps) {
  const { t } = useReader(texts);
  const chosen = rules !== null && rules.types !== 'all' ? rules.types : null;
  const kind = rules === null ? 'none' : chosen === null ? 'all' : 'some';
  const suggestions = types.filter(({ name }) => name !== null && longAbsence.test(name)).map(({ id }) => id);
  const choose = (next: string) => onChange(next === 'none' ? null : { types: next === 'all' ? 'all' : suggestions });
  // A type that the HR system no longer lists stays visible, so that it can be removed.
  const unlisted = (chosen ?? []).filter((id) => !types.some((type) => type.id === id));
  const shown = [...types, ...unlisted.map((id) => ({ id, name: null }))];
  return (
    <Stack gap="sm">
      <Radio.Group value={kind} onChange={choose} aria-label={t('absences')}>
        <Stack gap="xs">
          <Radio value="all" label={t('allTypes')} />
          <Radio value="some" label={t('absencesSome')} disabled={shown.length === 0} />
          <Radio value="none" label={t('absencesNone')} />
        </Stack>
      </Radio.Group>
      {chosen !== null && (
        <Stack gap="xs" pl="lg" align="flex-start">
          <Checkbox.Group value={chosen} onChange={(ids) => onChange({ types: ids })} aria-label={t('absenceTypes')}>
            <Stack gap="xs">
              {shown.map(({ id, name }) => (
                <Group key={id} gap="xs">
                  <Checkbox value={id} label={name ?? t('absenceNameless', { id })} />
                  {suggestions.includes(id) && (
                    <Badge color="blue" size="sm">
                      {t('suggested')}
                    </Badge>
                  )}
                </Group>
              ))}
            </Stack>
          </Checkbox.Group>
          {suggestions.length > 0 && (
            <SmallAction onClick={() => onChange({ types: suggestions })} label={t('chooseSuggested')} />
          )}
        </Stack>
      )}
    </Stack>
  );
}

/** A part of the mapping that names attributes. */
interface PartProps<Name extends keyof Mapping> {
  value: Mapping[Name];
  attributes: Attributes;
  onChange(value: Mapping[Name]): void;
}

function AutoSyncRule({ value: rule, attributes, onChange }: PartProps<'autoSyncEmployee'>) {
  const { t } = useReader(texts);
  const choose = (choice: string) =>
    onChange(
      choice === 'off'
        ? null
        : { attribute: attributes.options[0]?.value ?? '', yes: ['Ja', 'Yes'], no: ['Nein', 'No'] },
    );
  return (
    <Stack gap="sm">
      <Radio.Group value={rule === null ? 'off' : 'on'} onChange={choose} aria-label={t('autoSyncTitle')}>
        <Stack gap="xs">
          <Radio value="off" label={t('autoSyncOff')} />
          <Radio value="on" label={t('autoSyncOn')} disabled={attributes.options.length === 0} />
        </Stack>
      </Radio.Group>
      {rule !== null && (
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <AttributeInput
            label={t('attribute')}
            attributes={attributes}
            value={rule.attribute}
            onChange={(attribute) => onChange({ ...rule, attribute: attribute ?? '' })}
          />
          <TagsInput label={t('yes')} value={rule.yes} onChange={(yes) => onChange({ ...rule, yes })} />
          <TagsInput label={t('no')} value={rule.no} onChange={(no) => onChange({ ...rule, no })} />
        </SimpleGrid>
      )}
    </Stack>
  );
}

type Condition = Mapping['include'][number];

const kinds = ['one-of', 'none-of', 'present', 'empty'] as const satisfies Condition['is'][];
const hasValues = (is: Condition['is']) => is === 'one-of' || is === 'none-of';

function Conditions({ value: conditions, attributes, onChange }: PartProps<'include'>) {
  const { t } = useReader(texts);
  const replace = (index: number, condition: Condition) => onChange(conditions.with(index, condition));
  const setKind = (index: number, condition: Condition, is: Condition['is']) =>
    replace(index, {
      attribute: condition.attribute,
      is,
      ...(hasValues(is) ? { values: condition.values ?? [] } : {}),
    });
  const first = attributes.options[0]?.value ?? '';
  return (
    <Stack gap="sm" align="flex-start">
      {conditions.map((condition, index) => (
        // The order is fixed: conditions are only added at the end.
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity of their own.
        <Group key={index} gap="xs" align="flex-end" w="100%">
          <AttributeInput
            label={t('attribute')}
            attributes={attributes}
            value={condition.attribute}
            onChange={(attribute) => replace(index, { ...condition, attribute: attribute ?? '' })}
          />
          <Select
            label={t('condition')}
            data={kinds.map((value) => ({ value, label: t(value) }))}
            value={condition.is}
            onChange={(is) => is !== null && setKind(index, condition, is as Condition['is'])}
            allowDeselect={false}
            flex="1 1 140px"
          />
          {hasValues(condition.is) && (
            <TagsInput
              label={t('values')}
              placeholder={condition.values?.length ? '' : t('valuesHint')}
              value={condition.values ?? []}
              onChange={(values) => replace(index, { ...condition, values })}
              flex="2 1 220px"
            />
          )}
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('removeCondition', { number: index + 1 })}
            onClick={() => onChange(conditions.toSpliced(index, 1))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <SmallAction
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={first === '' || conditions.length >= 20}
        onClick={() => onChange([...conditions, { attribute: first, is: 'present' }])}
        label={t('addCondition')}
      />
    </Stack>
  );
}

const requiredFields = ['hrId', 'firstName', 'lastName', 'email'] as const;
const optionalFields = [
  'startDate',
  'terminationDate',
  'dateOfBirth',
  'profileImage',
  'personnelNumber',
  'group',
] as const;

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <div>
        <Title order={3}>{title}</Title>
        {hint !== undefined && <Hint>{hint}</Hint>}
      </div>
      {children}
    </Stack>
  );
}

interface MappingStepProps {
  initial: Mapping;
  check: ConnectionCheck | undefined;
  /** What people call the HR system. */
  title: string;
  pending: boolean;
  error: unknown;
  onSave(mapping: Mapping): void;
  /** Saves, and asks the API again. */
  onReload(mapping: Mapping): void;
  onBack(): void;
}

export function MappingStep({ initial, check, title, pending, error, onSave, onReload, onBack }: MappingStepProps) {
  const { t } = useReader(texts);
  const { nameField } = useFieldValues();
  const [mapping, setMapping] = useState(initial);
  const attributes = listAttributes(check ?? { fields: [] }, mapping);
  const change = (part: Partial<Mapping>) => setMapping({ ...mapping, ...part });
  const select = (field: (typeof requiredFields | typeof optionalFields)[number], isOptional: boolean) => (
    <AttributeInput
      key={field}
      label={nameField(field)}
      attributes={attributes}
      value={mapping.fields[field] ?? null}
      {...(isOptional ? { placeholder: t('notRead') } : {})}
      onChange={(value) => change({ fields: { ...mapping.fields, [field]: value } as Mapping['fields'] })}
    />
  );
  return (
    <Section title={t('mapping')}>
      <Stack gap="xl">
        <Stack gap="sm">
          <Hint>{t('mappingHint')}</Hint>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
            {requiredFields.map((field) => select(field, false))}
            {optionalFields.map((field) => select(field, true))}
          </SimpleGrid>
        </Stack>
        {mapping.requests !== undefined && check !== undefined && check.problems.length > 0 && (
          <ConnectionProblems problems={check.problems} provider={title} note={t('requestsFix')} />
        )}
        {mapping.requests !== undefined && (
          <RequestsPart
            requests={mapping.requests}
            sample={check?.sample}
            pending={pending}
            onChange={(requests) => change({ requests })}
            onReload={(requests) => onReload({ ...mapping, requests })}
          />
        )}
        <Part title={t('includeTitle')} hint={t('includeHint')}>
          <Conditions value={mapping.include} attributes={attributes} onChange={(include) => change({ include })} />
        </Part>
        <Part title={t('autoSyncTitle')}>
          <AutoSyncRule
            value={mapping.autoSyncEmployee}
            attributes={attributes}
            onChange={(autoSyncEmployee) => change({ autoSyncEmployee })}
          />
        </Part>
        <Part title={t('absences')} hint={t('absencesHint')}>
          <AbsenceRules
            rules={mapping.absences}
            types={check?.absenceTypes ?? []}
            onChange={(absences) => change({ absences })}
          />
        </Part>
        <ProblemAlert error={error} />
        <Group gap="xs">
          <Action onClick={() => onSave(mapping)} loading={pending} label={t('saveMapping')} />
          <Action variant="default" onClick={onBack} disabled={pending} label={t('back')} />
        </Group>
      </Stack>
    </Section>
  );
}
