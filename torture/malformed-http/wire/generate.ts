import { bodies } from './bodies.ts';
import { heads } from './heads.ts';
import type { Parts, WireMessage } from './message.ts';

const families = Object.entries({ ...bodies, ...heads });

/** Generates this many messages, evenly spread over the families. */
export function* generateMessages(count: number, makeParts: (number: number) => Parts): Generator<WireMessage> {
  for (let number = 0; number < count; number++) {
    const [family, make] = families[number % families.length] as (typeof families)[number];
    yield { family, ...make(makeParts(number)) };
  }
}

export const familyCount = families.length;
