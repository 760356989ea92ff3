import { Group, VisuallyHidden } from '@mantine/core';
import type { SubscriptionStatus } from '../../../../../src/domain/enums.ts';
import type { Decision } from '../../../../../src/domain/subscription/transitions.ts';
import { useLanguage } from '../../../app/i18n/language.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { IconArrowRight } from '../../../ui/icons.gen.ts';
import { decisions } from './texts.ts';

/** Returns a function that returns the texts of a decision about the employee of this name. */
export function useDecisionTexts(name: string) {
  const { language } = useLanguage();
  return (decision: Decision) => {
    const { button, title, text, confirm, done } = decisions[decision];
    return {
      button: button[language],
      title: title[language].replace('{name}', () => name),
      text: text[language],
      confirm: confirm[language],
      done: done[language].replace('{name}', () => name),
    };
  };
}

/** Renders the old and the new status. A status that does not change is shown once. */
export function Transition({ from, to }: { from: SubscriptionStatus; to: SubscriptionStatus }) {
  return (
    <Group gap={4} component="span">
      {from !== to && (
        <>
          <StatusBadge of="subscriptionStatus" word={from} />
          <IconArrowRight size={14} aria-hidden />
          <VisuallyHidden>→</VisuallyHidden>
        </>
      )}
      <StatusBadge of="subscriptionStatus" word={to} />
    </Group>
  );
}
