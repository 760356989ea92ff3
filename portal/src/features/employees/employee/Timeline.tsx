import { Anchor, Group, Timeline as Line, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type {
  EmployeeDetails,
  HandChange,
  SubscriptionChange,
} from '../../../../../src/features/employees/contract.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { colourOf } from '../../../ui/badges.tsx';
import { Section } from '../../../ui/layout.tsx';
import { MessageText } from '../../../ui/MessageText.tsx';
import { ChangeList } from '../../../ui/records/records.tsx';
import { Hint, KeyName, Small, syncAddress } from '../../../ui/text.tsx';
import { Transition } from './decision.tsx';
import { Fold } from './parts.tsx';
import { texts } from './texts.ts';

const shownAtOnce = 8;

function Actor({ actor: { type, name, username } }: Pick<SubscriptionChange, 'actor'>) {
  const words = useWords();
  if (name === null) return words.actor[type];
  return username === null ? `${words.actor[type]} ${name}` : <KeyName name={name} username={username} />;
}

function Who({ change }: { change: SubscriptionChange }) {
  const { t, words } = useReader(texts);
  const { source, actor, syncId, hrIntegrationId } = change;
  const parts: ReactNode[] = [words.source[source]];
  if (syncId !== null && hrIntegrationId !== null) {
    parts.push(
      <Anchor component={Link} to={syncAddress(hrIntegrationId, syncId)} inherit underline="always">
        {t('sync', { id: syncId })}
      </Anchor>,
    );
  }
  if (actor.type !== 'service') {
    parts.push(<Actor actor={actor} />);
  }
  return (
    <Small style={{ overflowWrap: 'anywhere' }}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line never change their order.
        <span key={index}>
          {index > 0 && ' · '}
          {part}
        </span>
      ))}
    </Small>
  );
}

function Change({ change }: { change: SubscriptionChange }) {
  const { t, words, formats } = useReader(texts);
  const { effectiveOn, knownOn, cause, detail, message, from, to } = change;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text fw={600} component="time" dateTime={knownOn}>
          {formats.longDate(knownOn)}
        </Text>
        <Transition from={from} to={to} />
      </Group>
      <Text fw={500}>
        {words.cause[cause]}
        {knownOn !== effectiveOn && (
          <Text span inherit c="dimmed" fw={400}>
            {', '}
            {t('takesEffect', { date: formats.date(effectiveOn) })}
          </Text>
        )}
      </Text>
      <Text>
        <MessageText message={message} detail={detail} />
      </Text>
      <ChangeList changes={change.fields} />
      <Who change={change} />
    </Stack>
  );
}

/** Renders what a user has changed besides the subscription. */
function ByHand({ change: { action, changes, recordedAt, actor } }: { change: HandChange }) {
  const { t, formats } = useReader(texts);
  return (
    <Stack gap={4}>
      <Text fw={600} component="time" dateTime={recordedAt}>
        {formats.longDayOf(recordedAt)}
      </Text>
      <Text fw={500}>{t(`hand_${action}`)}</Text>
      <ChangeList changes={changes} />
      <Small>
        <Actor actor={actor} />
      </Small>
    </Stack>
  );
}

/** Renders the history: every change of the subscription and by hand, newest first. */
export function Timeline({ history, handChanges }: Pick<EmployeeDetails, 'history' | 'handChanges'>) {
  const { t } = useReader(texts);
  const entries = [...history, ...handChanges].sort((one, other) => other.recordedAt.localeCompare(one.recordedAt));
  return (
    <Section title={t('history')}>
      {entries.length === 0 ? (
        <Hint>{t('noHistory')}</Hint>
      ) : (
        <>
          <Hint mb="md">{t('historyHint')}</Hint>
          <Fold items={entries} shownAtOnce={shownAtOnce}>
            {(shown) => (
              <Line bulletSize={14} lineWidth={2} active={shown.length} role="list" aria-label={t('history')}>
                {shown.map((change, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: changes are only ever added at the beginning.
                  <Line.Item key={index} color={'to' in change ? colourOf(change.to) : 'grape'} role="listitem">
                    {'to' in change ? <Change change={change} /> : <ByHand change={change} />}
                  </Line.Item>
                ))}
              </Line>
            )}
          </Fold>
        </>
      )}
    </Section>
  );
}
