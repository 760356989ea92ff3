import { ActionIcon, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys, useWindowEvent } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { Action } from '../../ui/Action.tsx';
import { IconSearch } from '../../ui/icons.gen.ts';
import { useReader } from '../i18n/reader.ts';

/** Loaded when it is opened for the first time. */
const Palette = lazy(async () => ({ default: (await import('./palette/Palette.tsx')).Palette }));

/** Opens the search over everything, also by Ctrl+K and by `/` outside of fields. */
export function PaletteButton() {
  const { t } = useReader();
  const [opened, { open, close }] = useDisclosure(false);
  const [isNeeded, setNeeded] = useState(false);
  const [typed, setTyped] = useState('');
  const [isEntered, setEntered] = useState(false);
  const type = (text: string) => {
    setTyped(text);
    setEntered(false);
  };
  const show = () => {
    setNeeded(true);
    type('');
    open();
  };
  // What is typed before the field of the search has the focus would be lost.
  useWindowEvent('keydown', (event) => {
    const isElsewhere = !(event.target instanceof HTMLInputElement);
    const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isOnPage = !(event.target instanceof Element && event.target.closest('[role=dialog]') !== null);
    if (!opened || !isElsewhere || !(isLetter || (event.key === 'Enter' && isOnPage))) return;
    event.preventDefault();
    if (!isLetter) return setEntered(true);
    setTyped((text) => text + event.key);
    setEntered(false);
  });
  useHotkeys([['mod+K', show]], []);
  useHotkeys([['/', show]]);
  return (
    <>
      <Action
        variant="default"
        size="compact-md"
        fw={400}
        fz="sm"
        c="dimmed"
        visibleFrom="md"
        leftSection={<IconSearch size={15} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {t('paletteKeys')}
          </Kbd>
        }
        onClick={show}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        label={t('search')}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        hiddenFrom="md"
        onClick={show}
        aria-label={t('search')}
        aria-haspopup="dialog"
      >
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
      {isNeeded && (
        <Suspense>
          <Palette
            opened={opened}
            typed={typed}
            isEntered={isEntered}
            onType={type}
            onEnter={() => setEntered(true)}
            onClose={() => {
              setEntered(false);
              close();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
