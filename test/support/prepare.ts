import { after, beforeEach, before as beforeTests } from 'node:test';

let latest: Promise<unknown> = Promise.resolve();

/**
 * Runs work before the tests of the suite or file. Outside of a suite, the hooks of node:test run at once and all at the
 * same time. These wait for each other.
 */
export function before(work: (suite: string) => unknown): void {
  beforeTests(({ fullName }) => {
    latest = latest.catch(() => {}).then(() => work(fullName));
    return latest as Promise<void>;
  });
}

/** What ends after the tests, by the name of the suite. What was made last ends first. */
const ends = new Map<string, AsyncDisposableStack>();

/**
 * Makes something before the tests of the suite (or file) in which it is called, and ends it after them. Returns a
 * stand-in for tests and later hooks, which has the properties of what was made.
 */
export function prepare<T extends object>(make: () => T | Promise<T>, end?: (made: T) => unknown): T {
  let made: T | undefined;
  before(async (suite) => {
    const one = await make();
    made = one;
    if (end === undefined) return;
    const stack = ends.get(suite) ?? new AsyncDisposableStack();
    stack.defer(async () => void (await end(one)));
    ends.set(suite, stack);
  });
  after(async ({ fullName }) => {
    const stack = ends.get(fullName);
    ends.delete(fullName);
    await stack?.disposeAsync();
  });
  const current = () => {
    if (made === undefined) throw new Error('Prepared before the first test: use it in a test or in a later hook.');
    return made;
  };
  return standIn(current);
}

/** Prepares what is closed or stopped after the tests: a server, a connection, a thread. */
export const useResource = <T extends { close(): unknown } | { stop(): unknown }>(make: () => T | Promise<T>): T =>
  prepare(make, (made) => ('close' in made ? made.close() : made.stop()));

/** Makes something new before each test of the suite. Returns a stand-in for tests. */
export function useEach<T extends object>(make: () => Promise<T>): T {
  let made: T | undefined;
  beforeEach(async () => {
    made = await make();
  });
  return standIn(() => made as T);
}

/** Returns a stand-in for something that is made later. It has the properties of what `current` returns. */
export function standIn<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get(_, key) {
      const value = Reflect.get(current(), key);
      return typeof value === 'function' ? value.bind(current()) : value;
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(current()),
    set: (_, key, value) => Reflect.set(current(), key, value),
    has: (_, key) => Reflect.has(current(), key),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(current(), key);
      return found && { ...found, configurable: true };
    },
  });
}
