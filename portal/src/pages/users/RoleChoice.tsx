import { Radio, Stack } from '@mantine/core';
import { roles } from '../../api/enums.ts';
import type { Role } from '../../api/types.gen.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useWords } from '../../i18n/words.ts';
import { de } from './de.ts';
import { en } from './en.ts';

/** Lists every role with what it may do, least powerful first. */
export function RoleChoice({ role, onChange }: { role: Role; onChange(role: Role): void }) {
  const t = useTexts({ en, de });
  const words = useWords();
  return (
    <Radio.Group label={t('role')} value={role} onChange={onChange}>
      <Stack gap="sm" mt="xs">
        {roles.toReversed().map((one) => (
          <Radio key={one} value={one} label={words.role[one]} description={t(one)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
