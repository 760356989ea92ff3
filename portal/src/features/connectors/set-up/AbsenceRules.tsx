import { Badge, Button, Checkbox, Group, Radio, Stack } from '@mantine/core';
import type { ConnectionCheck, Mapping } from '../../../../../src/features/connectors/pull/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { isSuggested } from './providers.ts';
import { texts } from './texts.ts';

type Rules = Mapping['absences'];

interface Props {
  rules: Rules;
  types: ConnectionCheck['absenceTypes'];
  onChange(rules: Rules): void;
}

/** Edits which absences count. Suggests the types that last for months. */
export function AbsenceRules({ rules, types, onChange }: Props) {
  const t = useTexts(texts);
  const chosen = rules !== null && rules.types !== 'all' ? rules.types : null;
  const kind = rules === null ? 'none' : chosen === null ? 'all' : 'some';
  const suggestions = types.filter(({ name }) => name !== null && isSuggested(name)).map(({ id }) => id);
  const choose = (next: string) => onChange(next === 'none' ? null : { types: next === 'all' ? 'all' : suggestions });
  // A type that the HR system no longer lists stays visible, so that it can be removed.
  const unlisted = (chosen ?? []).filter((id) => !types.some((type) => type.id === id));
  const shown = [...types, ...unlisted.map((id) => ({ id, name: null }))];
  return (
    <Stack gap="sm">
      <Radio.Group value={kind} onChange={choose} aria-label={t('absencesTitle')}>
        <Stack gap="xs">
          <Radio value="all" label={t('absencesAll')} />
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
            <Button variant="default" size="compact-sm" onClick={() => onChange({ types: suggestions })}>
              {t('chooseSuggested')}
            </Button>
          )}
        </Stack>
      )}
    </Stack>
  );
}
