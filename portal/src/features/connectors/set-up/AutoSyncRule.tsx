import { Radio, Select, SimpleGrid, Stack, TagsInput } from '@mantine/core';
import type { Mapping } from '../../../../../src/features/connectors/pull/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import type { Attributes } from './attributes.ts';
import { texts } from './texts.ts';

type Rule = Mapping['autoSyncEmployee'];

interface Props {
  rule: Rule;
  attributes: Attributes;
  onChange(rule: Rule): void;
}

/** Edits which attribute says who gets a ticket. */
export function AutoSyncRule({ rule, attributes, onChange }: Props) {
  const t = useTexts(texts);
  const choose = (choice: string) =>
    onChange(
      choice === 'off' ? null : { attribute: attributes[0]?.value ?? '', yes: ['Ja', 'Yes'], no: ['Nein', 'No'] },
    );
  return (
    <Stack gap="sm">
      <Radio.Group value={rule === null ? 'off' : 'on'} onChange={choose} aria-label={t('autoSyncTitle')}>
        <Stack gap="xs">
          <Radio value="off" label={t('autoSyncOff')} />
          <Radio value="on" label={t('autoSyncOn')} disabled={attributes.length === 0} />
        </Stack>
      </Radio.Group>
      {rule !== null && (
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Select
            label={t('attribute')}
            data={[...attributes]}
            value={rule.attribute}
            onChange={(attribute) => attribute !== null && onChange({ ...rule, attribute })}
            searchable
            allowDeselect={false}
          />
          <TagsInput label={t('yes')} value={rule.yes} onChange={(yes) => onChange({ ...rule, yes })} />
          <TagsInput label={t('no')} value={rule.no} onChange={(no) => onChange({ ...rule, no })} />
        </SimpleGrid>
      )}
    </Stack>
  );
}
