import type { buildConnector, Dispatcher } from 'undici';
import { lazyPackage } from '../lazy-package.ts';
import { type AddressRules, assertLiteralAllowed, createLookup } from './addresses.ts';

export interface DispatcherOptions extends AddressRules {
  /** How many connections one origin gets at most. Absent: as many as requests are sent to it at the same time. */
  connections?: number;
  connectMillis: number;
  ca?: string;
}

export const undici = lazyPackage<typeof import('undici')>('undici');

/** Returns how to connect to addresses that clients chose: checks each connection. */
export function createConnect({ connectMillis, ca, ...rules }: DispatcherOptions): buildConnector.connector {
  const connect = undici().buildConnector({
    timeout: connectMillis,
    allowH2: false,
    lookup: createLookup(rules),
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    try {
      assertLiteralAllowed(options.hostname, rules);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    connect(options, callback);
  };
}

/** Returns a dispatcher for addresses that clients chose: checks each connection and follows no redirect. */
export function createDispatcher({ connections, ...options }: DispatcherOptions): Dispatcher {
  return new (undici().Agent)({
    connections: connections ?? null,
    pipelining: 1,
    maxHeaderSize: 16 * 1024,
    keepAliveTimeout: 10_000,
    connect: createConnect(options),
  });
}

/** A dispatcher that is created with its first request: many processes never send one. */
export function createLateDispatcher(options: DispatcherOptions) {
  let opened: Dispatcher | undefined;
  return {
    get(): Dispatcher {
      opened ??= createDispatcher(options);
      return opened;
    },
    destroy: async () => opened?.destroy(),
  };
}
