import {
  Box,
  Card,
  Center,
  Group,
  type MantineColorScheme,
  NativeSelect,
  Stack,
  Text,
  Title,
  useMantineColorScheme,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { type Language, languages, useLanguage } from '../i18n/language.tsx';
import { useCommonTexts } from '../i18n/texts.ts';
import { Mark } from './Mark.tsx';

/**
 * Renders the preferences of visitors who are not signed in. The menus of the shell would add a third to the script of
 * the sign-in page.
 */
function PlainPreferences() {
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

/** Frames the pages of visitors who are not signed in yet. The card begins at the same height, whatever it contains. */
export function AuthLayout({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  const t = useCommonTexts();
  return (
    <Box mih="100vh" style={{ display: 'flex', flexDirection: 'column' }}>
      <title>{`${title} · ${t('brand')}`}</title>
      <Group component="header" justify="space-between" px="md" h={56}>
        <Mark />
        <PlainPreferences />
      </Group>
      <Center
        component="main"
        flex={1}
        px="md"
        pt={{ base: 'md', sm: '15vh' }}
        pb="xl"
        style={{ alignItems: 'flex-start' }}
      >
        <Card w="100%" maw={400} padding="xl" shadow="sm">
          <Stack gap="md">
            <div>
              <Title order={1}>{title}</Title>
              {hint && (
                <Text c="dimmed" mt={4}>
                  {hint}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Card>
      </Center>
    </Box>
  );
}
