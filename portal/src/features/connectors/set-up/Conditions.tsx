import { ActionIcon, Button, Group, Select, Stack, TagsInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { Mapping } from '../../../../../src/features/connectors/pull/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import type { Attributes } from './attributes.ts';
import { texts } from './texts.ts';

type Condition = Mapping['include'][number];

const kinds = ['one-of', 'none-of', 'present', 'empty'] as const satisfies Condition['is'][];
const hasValues = (is: Condition['is']) => is === 'one-of' || is === 'none-of';

interface Props {
  conditions: readonly Condition[];
  attributes: Attributes;
  onChange(conditions: Condition[]): void;
}

/** Edits who is included in the roster. */
export function Conditions({ conditions, attributes, onChange }: Props) {
  const t = useTexts(texts);
  const replace = (index: number, condition: Condition) => onChange(conditions.with(index, condition));
  const setKind = (index: number, condition: Condition, is: Condition['is']) =>
    replace(index, {
      attribute: condition.attribute,
      is,
      ...(hasValues(is) ? { values: condition.values ?? [] } : {}),
    });
  const first = attributes[0]?.value ?? '';
  return (
    <Stack gap="sm" align="flex-start">
      {conditions.map((condition, index) => (
        // The order is fixed: conditions are only added at the end.
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity of their own.
        <Group key={index} gap="xs" align="flex-end" w="100%">
          <Select
            label={t('attribute')}
            data={[...attributes]}
            value={condition.attribute}
            onChange={(attribute) => attribute !== null && replace(index, { ...condition, attribute })}
            searchable
            allowDeselect={false}
            flex="1 1 180px"
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
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={first === '' || conditions.length >= 20}
        onClick={() => onChange([...conditions, { attribute: first, is: 'present' }])}
      >
        {t('addCondition')}
      </Button>
    </Stack>
  );
}
