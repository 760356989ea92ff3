import { Anchor, Box, Code, Collapse, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ActivityEntry } from '../../../../src/features/activity/contract.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { TimeText } from '../../ui/figures.tsx';
import { addressOf, useEntryWords } from './entry-words.ts';
import { texts } from './texts.ts';

/** Renders the actor's name, then its type. The operator and the service have no name. */
export function Actor({ entry: { actorType, actor } }: { entry: ActivityEntry }) {
  const words = useWords();
  const width = { miw: 130, maw: 260 };
  if (actor === null) {
    return (
      <Text size="sm" {...width}>
        {words.actor[actorType]}
      </Text>
    );
  }
  const key = actorType === 'key' ? /^(.*) \((\S+)\)$/s.exec(actor) : null;
  return (
    <Box {...width}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {key === null ? (
          actor
        ) : (
          <Anchor component={Link} to={`/keys/${key[2]}`} inherit>
            {key[1]}
          </Anchor>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        {words.actor[actorType]} {key && <Code fz="xs">{key[2]}</Code>}
      </Text>
    </Box>
  );
}

export function Moment({ at }: { at: string }) {
  return (
    <Text size="sm" component="div" style={{ whiteSpace: 'nowrap' }}>
      <TimeText at={at} exact />
    </Text>
  );
}

interface Props {
  entry: ActivityEntry;
}

/** Renders what was done and, on demand, everything that the log contains about it. */
export function Entry({ entry }: Props) {
  const t = useTexts(texts);
  const words = useEntryWords();
  const [opened, { toggle }] = useDisclosure(false);
  const what = words.sentence(entry);
  const address = addressOf(entry);
  const Arrow = opened ? IconChevronDown : IconChevronRight;
  const target: Fact[] = entry.target === null ? [] : [[t('target'), <Code key="target">{entry.target}</Code>]];
  const facts: Fact[] = [
    ...words.details(entry),
    ...target,
    [t('when'), <Code key="when">{entry.at}</Code>],
    [t('action'), <Code key="action">{entry.action}</Code>],
    [t('entry'), String(entry.id)],
  ];
  return (
    <div>
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {what}
      </Text>
      <Group gap="4px 12px">
        <Anchor
          component="button"
          type="button"
          size="xs"
          onClick={toggle}
          aria-expanded={opened}
          aria-label={t('detailsOf', { what })}
        >
          <Group gap={2} wrap="nowrap" component="span">
            <Arrow size={13} aria-hidden /> {t('details')}
          </Group>
        </Anchor>
        {address && (
          <Anchor component={Link} to={address} size="xs" aria-label={t('showOf', { what })}>
            {t('show')}
          </Anchor>
        )}
      </Group>
      <Collapse expanded={opened} keepMounted={false}>
        <Facts size="xs" mt="xs" labelWidth={110} facts={facts} />
      </Collapse>
    </div>
  );
}

/** Renders an entry in a single column, for phones. */
export function NarrowEntry({ entry }: Props) {
  const words = useWords();
  const { at, actorType, actor } = entry;
  return (
    <div>
      <Text size="xs" c="dimmed" mb={2} component="div" style={{ overflowWrap: 'anywhere' }}>
        <TimeText at={at} exact /> · {words.actor[actorType]}
        {actor !== null && ` · ${actor}`}
      </Text>
      <Entry entry={entry} />
    </div>
  );
}
