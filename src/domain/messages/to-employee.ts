import type { Message, MessageKey } from './message.ts';
import { own } from './my.en.ts';

const isOwn = (key: string): key is keyof typeof own => Object.hasOwn(own, key);

const ownKey = <T extends string>(key: T): T | keyof typeof own => {
  const mine = `my-${key}`;
  return isOwn(mine) ? mine : key;
};

/** Returns a sentence about an employee as they read it themselves. Reasons that it contains are addressed to them too. */
export function toEmployee({ key, values }: Message): Message {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? ownKey(value) : value,
  ]);
  return { key: ownKey<MessageKey>(key), values: Object.fromEntries(entries) };
}
