import { SimpleGrid, Text } from '@mantine/core';
import type { ExplainedSync } from '../../../../src/features/roster/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { texts } from './texts.ts';

const names = ['created', 'updated', 'unchanged', 'offboarded', 'held', 'failed'] as const;
const attention: Partial<Record<(typeof names)[number], string>> = { held: 'orange', failed: 'red' };

/** Renders the counts of what a sync did or would do. */
export function Counts({ counts }: { counts: ExplainedSync['counts'] }) {
  const t = useTexts(texts);
  const { number } = useFormats();
  return (
    <SimpleGrid component="dl" cols={{ base: 3, sm: 6 }} spacing="sm" verticalSpacing="md" m={0}>
      {names.map((name) => {
        const hue = attention[name];
        const colour = counts[name] === 0 ? 'dimmed' : hue ? `var(--mantine-color-${hue}-light-color)` : 'inherit';
        return (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed" fw={500}>
              {t(name)}
            </Text>
            <Text component="dd" m={0} fz={20} fw={650} lh={1.3} className="figures" c={colour}>
              {number(counts[name])}
            </Text>
          </div>
        );
      })}
    </SimpleGrid>
  );
}
