import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type AddressRules, assertLiteralAllowed, createLookup } from './addresses.ts';

export interface DispatcherOptions extends AddressRules {
  /** How many connections one origin gets at most. Absent: as many as requests are sent to it at the same time. */
  connections?: number;
  connectMillis: number;
  ca?: string;
}

/** Returns how to connect to addresses that clients chose: checks each connection. */
export function createConnect({ connectMillis, ca, ...rules }: DispatcherOptions): buildConnector.connector {
  const connect = buildConnector({
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
  return new Agent({
    connections: connections ?? null,
    pipelining: 1,
    maxHeaderSize: 16 * 1024,
    keepAliveTimeout: 10_000,
    connect: createConnect(options),
  });
}
