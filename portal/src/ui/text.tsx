import { Anchor, Text, type TextProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Money } from '../../../src/platform/http/schemas.ts';
import { useFormats } from '../app/i18n/formats.ts';
import { useReader } from '../app/i18n/reader.ts';
import { useWords } from '../app/i18n/words.ts';

/** Renders an explanation, less prominent than the text around it. */
export const Hint = (props: TextProps & { children: ReactNode }) => <Text c="dimmed" {...props} />;

/** Renders what belongs to something else, below it. */
export const Small = (props: TextProps & { children: ReactNode }) => (
  <Text size="xs" c="dimmed" component="div" {...props} />
);

const dash = '–';

/** Renders a date in the company's format. */
export function DateText({ date }: { date: string | null }) {
  const formats = useFormats();
  return <span className="figures">{date === null ? dash : <time dateTime={date}>{formats.date(date)}</time>}</span>;
}

interface TimeProps {
  at: string | null;
  exact?: boolean;
  /** For keys and sessions, which time travel does not affect. */
  isRealTime?: boolean;
}

/** Renders a time as "5 minutes ago", with the exact time in the tooltip. `exact` swaps the two. */
export function TimeText({ at, exact = false, isRealTime = false }: TimeProps) {
  const formats = useFormats();
  if (at === null) return <span>{dash}</span>;
  const [shown, tip] = [formats.time(at), formats.relative(at, isRealTime)];
  return (
    <Tooltip label={exact ? tip : shown}>
      <time dateTime={at} className="figures">
        {exact ? shown : tip}
      </time>
    </Tooltip>
  );
}

/** Renders an amount in the reader's format. */
export function MoneyText({ money, strong = false }: { money: Money | null; strong?: boolean }) {
  const formats = useFormats();
  return (
    <Text span inherit className="figures" fw={strong ? 600 : undefined} style={{ whiteSpace: 'nowrap' }}>
      {money === null ? dash : formats.money(money.value)}
    </Text>
  );
}

/** Renders a duration: `850 ms`, `6,4 s`, `2 min 5 s`. */
export function Duration({ millis }: { millis: number | null }) {
  const { number } = useFormats();
  return (
    <span className="figures" style={{ whiteSpace: 'nowrap' }}>
      {millis === null ? '–' : write(millis, number)}
    </span>
  );
}

function write(millis: number, number: (value: number) => string): string {
  if (millis < 1_000) return `${millis} ms`;
  if (millis < 60_000) return `${number(Math.round(millis / 100) / 10)} s`;
  const seconds = Math.round(millis / 1_000);
  return `${number(Math.floor(seconds / 60))} min ${seconds % 60} s`;
}

/** Renders an email address that breaks before its host if there is not enough room. */
export function EmailText({ email }: { email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}

interface Person {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
}

/** Renders the name of an employee, which opens their page, and the address below it. */
export const EmployeeLink = ({ id, firstName, lastName, email }: Person) => (
  <div style={{ overflowWrap: 'anywhere' }}>
    <Anchor component={Link} to={`/employees/${id}`} inherit fw={600}>
      {firstName} {lastName}
    </Anchor>
    <Small>
      <EmailText email={email} />
    </Small>
  </div>
);

interface Props {
  name: string;
  username: string;
}

/** Names an API key, with a link to its page. */
export function KeyName({ name, username }: Props) {
  const words = useWords();
  return (
    <>
      {words.actor.key}{' '}
      <Anchor component={Link} to={`/keys/${username}`} inherit underline="always" title={username}>
        {name}
      </Anchor>
    </>
  );
}

/** Returns a function that translates what the service stores in place of a user's name. */
export function useStoredName() {
  const { t, words } = useReader();
  return (name: string): string => {
    if (/^operator$/i.test(name)) return words.actor.operator;
    return name === 'Erased' ? t('erasedName') : name;
  };
}

/**
 * Returns the address of a sync's page. The client that pushed the sync chose its id, which may contain any character.
 */
export const syncAddress = (integrationId: number, syncId: string) =>
  `/integrations/${integrationId}/syncs/${encodeURIComponent(syncId)}`;
