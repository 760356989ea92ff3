import { Text } from '@mantine/core';
import type { Effects } from '../../../../src/features/billing/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Hint } from '../text.tsx';
import { texts } from './texts.ts';

const kinds = ['begin', 'end', 'resume', 'pause'] as const;

interface Props {
  /** Null: unknown, because an earlier release has not counted it. */
  effects: Effects | null | undefined;
  /** Whether it has happened. Otherwise it is a preview. */
  isDone?: boolean;
}

/** Renders in one line which subscriptions a change affects, and what it costs: "57 Abos beginnen, +3.411,45 € im Monat". */
export function EffectsLine({ effects, isDone = false }: Props) {
  const { t, formats } = useReader(texts);
  if (!effects) return null;
  const { monthlyCents, awaitingConsent } = effects;
  const counted = kinds
    .filter((kind) => effects[kind] > 0)
    .map((kind, index) => {
      const count = effects[kind];
      const subject = index === 0 ? t('subscriptions', { count }) : formats.number(count);
      const values = { count, subject };
      return t(isDone ? `${kind}Done` : kind, values);
    });
  if (counted.length === 0) counted.push(t(isDone ? 'noChangeDone' : 'noChange'));
  const costs = monthlyCents === 0 ? t('sameCosts') : t('perMonth', { amount: formats.signedMoney(monthlyCents) });
  return (
    <div>
      <Text fw={600} fz="md" className="figures">
        {[...counted, costs].join(', ')}
      </Text>
      {(monthlyCents !== 0 || awaitingConsent > 0) && (
        <Hint>
          {awaitingConsent > 0 && t('awaitingConsent', { count: awaitingConsent })} {monthlyCents !== 0 && t('costs')}
        </Hint>
      )}
    </div>
  );
}
