import { en } from './en.ts';

export type MessageKey = keyof typeof en;

/** A sentence as its key in the catalogue and the values for its placeholders, for rendering in any language. */
export interface Message {
  key: MessageKey;
  values: Record<string, MessageValue | MessagePart[]>;
}

export interface MessagePart {
  key: MessageKey;
  values: Record<string, MessageValue>;
}

type MessageValue = string | number;

type Names<S> = S extends `${string}{${infer Placeholder}}${infer Rest}`
  ? (Placeholder extends `${infer Name}:${string}` ? Name : Placeholder) | Names<Rest>
  : never;

/** Days are given as they are. */
type Value = MessageValue | MessagePart[] | Temporal.PlainDate;

/** Has a value for every placeholder. Values for the texts that a placeholder inserts are not checked. */
type ValuesOf<K extends MessageKey> = Record<Names<(typeof en)[K]>, Value> & Record<string, Value>;

export function createMessage<K extends MessageKey>(
  key: K,
  ...[values]: [Names<(typeof en)[K]>] extends [never] ? [values?: Record<string, Value>] : [values: ValuesOf<K>]
): Message {
  const given: Message['values'] = {};
  for (const [name, value] of Object.entries<Value>(values ?? {})) {
    given[name] = typeof value === 'number' || Array.isArray(value) ? value : String(value);
  }
  return { key, values: given };
}

const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** Formats `2026-11-01` without Intl, which takes fifty times as long. */
const formatDate = (day: string) => {
  const [year, month, date] = day.split('-');
  return `${Number(date)} ${monthNames[Number(month) - 1]} ${year}`;
};

function formatOrdinal(day: number): string {
  if (day >= 11 && day <= 13) return `${day}th`;
  return `${day}${['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'}`;
}

const placeholder = /\{(\w+)(?::(\w+))?\}/g;

export function formatMessage({ key, values }: Message): string {
  return en[key].replace(placeholder, (_all, name: string, kind: string | undefined) => {
    const value = values[name] ?? '';
    if (Array.isArray(value)) return value.map(formatMessage).join('; ');
    if (kind === 'date') return formatDate(String(value));
    if (kind === 'lastDay') return formatDate(Temporal.PlainDate.from(String(value)).subtract({ days: 1 }).toString());
    if (kind === 'ordinal') return formatOrdinal(Number(value));
    if (kind === 'text') return formatMessage({ key: value as MessageKey, values });
    return String(value);
  });
}

/** Returns the message without the HR ids of these employees. It still says what was wrong. */
export function removeEmployees({ key, values }: Message, hrIds: ReadonlySet<string>): Message {
  const remove = (part: MessagePart): MessagePart => {
    const { hrId, ...others } = part.values;
    return hrId !== undefined && hrIds.has(String(hrId)) ? { key: 'unusable-erased', values: others } : part;
  };
  const remaining = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(remove) : value,
  ]);
  return { key, values: Object.fromEntries(remaining) };
}
