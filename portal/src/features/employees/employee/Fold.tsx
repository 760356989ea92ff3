import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../../app/i18n/texts.ts';
import { texts } from './texts.ts';

interface Props<T> {
  items: readonly T[];
  shownAtOnce: number;
  children(shown: readonly T[]): ReactNode;
}

/** Renders a long list that starts with its first items only. */
export function Fold<T>({ items, shownAtOnce, children }: Props<T>) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const isLong = items.length > shownAtOnce + 1;
  return (
    <>
      {children(isLong && !isOpen ? items.slice(0, shownAtOnce) : items)}
      {isLong && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          ml={-8}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
        >
          {isOpen ? t('showLess') : t('showAll', { count: items.length })}
        </Button>
      )}
    </>
  );
}
