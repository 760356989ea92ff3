import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react';
import { useKeepLanguage } from '../api/me.ts';
import { type Language, languages, useLanguage } from '../i18n/language.tsx';
import { useReader } from '../i18n/reader.ts';

const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;
const chosen = <IconCheck size={14} aria-hidden />;

function LanguageMenu() {
  const { t } = useReader();
  const { language, setLanguage } = useLanguage();
  const keepLanguage = useKeepLanguage();
  const choose = (next: Language) => {
    setLanguage(next);
    keepLanguage(next);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('language')}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`${t('language')}: ${languages[language]}`}>
            <IconLanguage size={20} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(languages).map(([key, name]) => (
          <Menu.Item
            key={key}
            lang={key}
            onClick={() => choose(key as Language)}
            rightSection={key === language && chosen}
            aria-current={key === language || undefined}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function SchemeMenu() {
  const { t } = useReader();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = schemes[colorScheme];
  const names = { light: t('light'), dark: t('dark'), auto: t('system') };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('switchScheme')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`${t('switchScheme')}: ${names[colorScheme]}`}
          >
            <Current size={20} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {(['light', 'dark', 'auto'] as const).map((scheme) => {
          const Picture = schemes[scheme];
          return (
            <Menu.Item
              key={scheme}
              leftSection={<Picture size={16} aria-hidden />}
              rightSection={scheme === colorScheme && chosen}
              onClick={() => setColorScheme(scheme)}
              aria-current={scheme === colorScheme || undefined}
            >
              {names[scheme]}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

export function Preferences() {
  return (
    <>
      <LanguageMenu />
      <SchemeMenu />
    </>
  );
}
