import { Box, Card, Center, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommonTexts } from '../i18n/common.ts';
import { Mark } from './Mark.tsx';
import { PlainPreferences } from './PlainPreferences.tsx';

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
                <Text size="sm" c="dimmed" mt={4}>
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
