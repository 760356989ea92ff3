import { parentPort, workerData } from 'node:worker_threads';
import type { Provider } from '../../../domain/enums.ts';
import type { Message } from '../../../domain/messages/message.ts';
import type { Recorder } from '../cases/recorder.ts';
import {
  type Connection,
  type Connector,
  ConnectorError,
  type Credentials,
  type OpenOptions,
  type ReadPage,
  type ReadRequest,
} from '../providers/connector.ts';
import type { Mapping } from '../rules/mapping.ts';

/** Holds one connection in a thread, and answers the calls of `open-connection.ts` one after another. */

export interface NewConnection {
  provider: Provider;
  credentials: Credentials;
  options: Omit<OpenOptions, 'signal' | 'onExchange'>;
  /** Records the requests of a pull with this mapping. */
  recordedMapping?: Mapping | undefined;
}

export type Call =
  | { name: 'check'; mapping: Mapping }
  | { name: 'describe'; mapping: Mapping }
  | { name: 'read'; request: ReadRequest }
  | { name: 'next' }
  | { name: 'recording'; today: string };

/** An error loses its class and most of its properties on the way. */
type SentError = Pick<ConnectorError, 'name' | 'message' | 'code' | 'retryAfterMillis'> & {
  stack: string | undefined;
  /** Undefined: it is no `ConnectorError`. */
  explanation: Message | undefined;
};
export type Reply = { result: unknown } | { error: SentError };

/** A page is sent in portions, so that no single message is long in the making or in the reading. */
const recordsPerMessage = 500;

const { provider, credentials, options, recordedMapping } = workerData as NewConnection;

/** Only the one that is needed is loaded, which halves the time to start. */
const connectors: Record<Provider, () => Promise<Connector>> = {
  personio: async () => (await import('../providers/personio.ts')).personio,
  hibob: async () => (await import('../providers/hibob.ts')).hibob,
  bamboohr: async () => (await import('../providers/bamboohr.ts')).bamboohr,
  'http-json': async () => (await import('../providers/http-json.ts')).httpJson,
  'sftp-csv': async () => (await import('../providers/sftp-csv.ts')).sftpCsv,
};

let recorder: Recorder | undefined;

async function open(): Promise<Connection> {
  const connector = await connectors[provider]();
  if (recordedMapping !== undefined) {
    const { createRecorder } = await import('../cases/recorder.ts');
    recorder = createRecorder(connector, { credentials, mapping: recordedMapping });
  }
  // The thread as a whole is ended instead.
  const { signal } = new AbortController();
  return connector.open(credentials, { ...options, signal, onExchange: recorder?.onExchange } as OpenOptions);
}

async function* readInPortions(connection: Connection, request: ReadRequest): AsyncGenerator<ReadPage> {
  for await (const { records, ...page } of connection.read(request)) {
    for (let from = 0; from === 0 || from < records.length; from += recordsPerMessage) {
      yield { ...page, records: records.slice(from, from + recordsPerMessage) };
    }
  }
}

let connection: Connection | undefined;
let pages: AsyncGenerator<ReadPage> | undefined;

async function answer(call: Call): Promise<unknown> {
  connection ??= await open();
  if (call.name === 'check') return connection.check(call.mapping);
  if (call.name === 'describe') return connection.describe(call.mapping);
  if (call.name === 'next') return (await pages?.next())?.value;
  if (call.name === 'recording') return recorder?.finish(call.today);
  pages = readInPortions(connection, call.request);
  return undefined;
}

function describeFailure(thrown: unknown): Reply {
  const { name, message, stack, code, retryAfterMillis } = thrown as ConnectorError;
  const explanation = thrown instanceof ConnectorError ? thrown.explanation : undefined;
  return { error: { name, message, stack, code, retryAfterMillis, explanation } };
}

parentPort?.on('message', (call: Call) => {
  answer(call)
    .then((result): Reply => ({ result }), describeFailure)
    .then((reply) => parentPort?.postMessage(reply));
});
