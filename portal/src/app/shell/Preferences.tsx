import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import type { Icon } from '../../ui/icon.tsx';
import { IconCheck, IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '../../ui/icons.gen.ts';
import { useKeepLanguage } from '../api/me.ts';
import { type Language, languages, useLanguage } from '../i18n/language.tsx';
import { useReader } from '../i18n/reader.ts';

interface Props<T extends string> {
  label: string;
  icon: Icon;
  names: Record<T, string>;
  chosen: T;
  onChoose(value: T): void;
  icons?: Record<T, Icon>;
  /** Whether each name is written in the language that it is. */
  isLanguage?: boolean;
}

/** Renders an icon that opens a menu of values, of which one is chosen. */
function ChoiceMenu<T extends string>({ label, icon: Picture, names, chosen, onChoose, icons, isLanguage }: Props<T>) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={label}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`${label}: ${names[chosen]}`}>
            <Picture size={20} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(names) as T[]).map((value) => {
          const Own: Icon | undefined = icons?.[value];
          return (
            <Menu.Item
              key={value}
              {...(isLanguage ? { lang: value } : {})}
              leftSection={Own && <Own size={16} aria-hidden />}
              rightSection={value === chosen && <IconCheck size={14} aria-hidden />}
              onClick={() => onChoose(value)}
              aria-current={value === chosen || undefined}
            >
              {names[value]}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;

export function Preferences() {
  const { t } = useReader();
  const { language, setLanguage } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const keepLanguage = useKeepLanguage();
  const chooseLanguage = (next: Language) => {
    setLanguage(next);
    keepLanguage(next);
  };
  return (
    <>
      <ChoiceMenu
        label={t('language')}
        icon={IconLanguage}
        names={languages}
        chosen={language}
        onChoose={chooseLanguage}
        isLanguage
      />
      <ChoiceMenu
        label={t('switchScheme')}
        icon={schemes[colorScheme]}
        names={{ light: t('light'), dark: t('dark'), auto: t('system') }}
        chosen={colorScheme}
        onChoose={setColorScheme}
        icons={schemes}
      />
    </>
  );
}
