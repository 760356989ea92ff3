import { Text } from '@mantine/core';
import { useTexts } from '../../../app/i18n/texts.ts';
import { texts } from './texts.ts';
import './set-up.css';

export const allSteps = ['credentials', 'check', 'mapping', 'preview', 'schedule'] as const;
export type Step = (typeof allSteps)[number];

const labels = {
  credentials: 'stepCredentials',
  check: 'stepCheck',
  mapping: 'stepMapping',
  preview: 'stepPreview',
  schedule: 'stepSchedule',
} as const;

/** Shows where in the set-up the user is. */
export function Steps({ current }: { current: Step }) {
  const t = useTexts(texts);
  const index = allSteps.indexOf(current);
  return (
    <nav aria-label={t('steps')}>
      <Text size="sm" c="dimmed" mb={4}>
        {t('progress', { step: index + 1, total: allSteps.length })}
      </Text>
      <ol className="steps">
        {allSteps.map((step, position) => (
          <Text
            key={step}
            component="li"
            size="sm"
            c={position === index ? 'inherit' : 'dimmed'}
            {...(position === index ? { 'aria-current': 'step' as const } : {})}
          >
            {position + 1}. {t(labels[step])}
          </Text>
        ))}
      </ol>
    </nav>
  );
}
