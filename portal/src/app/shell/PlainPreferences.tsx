import { Group, type MantineColorScheme, NativeSelect, useMantineColorScheme } from '@mantine/core';
import { useCommonTexts } from '../i18n/common.ts';
import { type Language, languages, useLanguage } from '../i18n/language.tsx';

/**
 * Renders the preferences of visitors who are not signed in. The menus of the shell would add a third to the script of
 * the sign-in page.
 */
export function PlainPreferences() {
  const t = useCommonTexts();
  const { language, setLanguage } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group gap="xs" wrap="nowrap">
      <NativeSelect
        size="xs"
        aria-label={t('language')}
        value={language}
        onChange={({ currentTarget }) => setLanguage(currentTarget.value as Language)}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        size="xs"
        aria-label={t('switchScheme')}
        value={colorScheme}
        onChange={({ currentTarget }) => setColorScheme(currentTarget.value as MantineColorScheme)}
        data={[
          { value: 'auto', label: t('system') },
          { value: 'light', label: t('light') },
          { value: 'dark', label: t('dark') },
        ]}
      />
    </Group>
  );
}
