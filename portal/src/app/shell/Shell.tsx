import { Alert, Anchor, Badge, Box, Burger, Center, Group, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useEffect } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import type { Me } from '../../../../src/portal/contract.ts';
import { IconFlask } from '../../ui/icons.gen.ts';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Loading, PageSkeleton } from '../../ui/Query.tsx';
import { useMayTravel, useMe } from '../api/me.ts';
import { isSignedOut } from '../api/request.ts';
import { PageBoundary } from '../broken/BrokenPage.tsx';
import { type Language, useLanguage } from '../i18n/language.tsx';
import { useReader } from '../i18n/reader.ts';
import { useScrollPosition } from '../scroll-position.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { CompanySwitcher } from './CompanySwitcher.tsx';
import { Mark } from './Mark.tsx';
import { Navigation } from './Navigation.tsx';
import { PaletteButton } from './PaletteButton.tsx';
import { Preferences } from './Preferences.tsx';
import { sessionEnded, stepUp } from './store.ts';

const StepUp = lazy(async () => ({ default: (await import('./StepUp.tsx')).StepUp }));
const SessionEnded = lazy(async () => ({ default: (await import('./SessionEnded.tsx')).SessionEnded }));

function StagingBanner({ today }: { today: string }) {
  const { t, formats } = useReader();
  const mayTravel = useMayTravel();
  return (
    <Alert
      color="yellow"
      role="note"
      radius={0}
      py={6}
      px="md"
      icon={<IconFlask size={17} />}
      mx="calc(var(--shell-padding) * -1)"
      mt="calc(var(--shell-padding) * -1)"
      mb="sm"
    >
      <Group gap="0 16px">
        <Text>{t('stagingBanner', { today: formats.longDate(today) })}</Text>
        {mayTravel && (
          <Anchor component={Link} to="/time-travel" fw={600} c="inherit" underline="always">
            {t('timeTravel')}
          </Anchor>
        )}
      </Group>
    </Alert>
  );
}

function Header({ me, opened, toggle }: { me: Me; opened: boolean; toggle(): void }) {
  const { t } = useReader();
  const isStaging = me.environment === 'staging';
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Burger
          opened={opened}
          onClick={toggle}
          hiddenFrom="md"
          size="sm"
          aria-label={t(opened ? 'closeMenu' : 'openMenu')}
          aria-expanded={opened}
        />
        <Anchor size="md" component={Link} to="/" underline="never" c="inherit" aria-label={t('brand')}>
          <Box visibleFrom="sm">
            <Mark />
          </Box>
          <Box hiddenFrom="sm" display="flex">
            <Mark withName={false} />
          </Box>
        </Anchor>
        <CompanySwitcher company={me.company} />
        <Badge color={isStaging ? 'yellow' : 'teal'} size="sm" visibleFrom="xs">
          {t(me.environment)}
        </Badge>
      </Group>
      <Group gap={4} wrap="nowrap">
        <PaletteButton />
        <Preferences />
        <AccountMenu user={me.user} />
      </Group>
    </Group>
  );
}

/** Applies the language that is kept with the account, for example on a new device. */
function useAccountLanguage(kept: Language | null) {
  const { setLanguage } = useLanguage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the account says changes the language.
  useEffect(() => {
    if (kept !== null && kept !== document.documentElement.lang) setLanguage(kept);
  }, [kept]);
}

/** Frames every page of a signed-in user. Pages can rely on `me` being loaded. */
export function Shell() {
  const { t } = useReader();
  const me = useMe();
  const [opened, { toggle, close }] = useDisclosure(false);
  const hasEnded = sessionEnded.use();
  useAccountLanguage(me.data?.user.language ?? null);
  const isAsked = stepUp.use() !== undefined;
  const { pathname } = useLocation();
  useScrollPosition();
  useHotkeys([['Escape', close, { preventDefault: false }]]);
  if (me.data === undefined) {
    if (me.error === null || isSignedOut(me.error)) return <Loading />;
    return (
      <Center mih="60vh" p="md" component="main">
        <ProblemAlert error={me.error} onRetry={() => void me.refetch()} />
      </Center>
    );
  }
  // The company requires a second factor, and every other page would be refused.
  if (me.data.user.mustAddSecondFactor && pathname !== '/account') return <Navigate to="/account" replace />;
  return (
    <>
      <a className="skip-link" href="#main">
        {t('skip')}
      </a>
      <header className="shell-header">
        <Header me={me.data} opened={opened} toggle={toggle} />
      </header>
      <div className="shell-navigation" data-opened={opened || undefined}>
        <Navigation onNavigate={close} />
      </div>
      <main className="shell-main" id="main" tabIndex={-1}>
        {me.data.environment === 'staging' && <StagingBanner today={me.data.today} />}
        <Suspense>
          {hasEnded && <SessionEnded />}
          {isAsked && <StepUp />}
        </Suspense>
        <Suspense fallback={<PageSkeleton />}>
          <PageBoundary>
            <Outlet />
          </PageBoundary>
        </Suspense>
      </main>
    </>
  );
}
