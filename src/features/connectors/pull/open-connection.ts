import type { Provider } from '../../../domain/enums.ts';
import { createMessage, type Message } from '../../../domain/messages/message.ts';
import type { Config, ProviderOrigins } from '../../../platform/config/config.ts';
import { type Encryption, nameSecretOf } from '../../../platform/crypto/encryption.ts';
import { MemoryExceededError, startLimitedThread } from '../../../platform/threads/thread.ts';
import type { Company, Integration } from '../../companies/companies.ts';
import type { Recording } from '../cases/recorder.ts';
import {
  type Connection,
  type ConnectionProblem,
  type Connector,
  ConnectorError,
  type Credentials,
  type Description,
  type ReadPage,
} from '../providers/connector.ts';
import { getConnector } from '../providers/index.ts';
import type { FailureCode } from '../rules/failure.ts';
import type { Mapping } from '../rules/mapping.ts';
import type { Call, NewConnection, Reply } from './connection-thread.ts';
import type { ConnectorRow } from './store.ts';

const maxLength = 20_000;

/** Returns the credentials of the connector's fields, or everything that is wrong with them. Quotes no value. */
export function checkCredentials(value: unknown, connector: Connector): Credentials | Message[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [createMessage('credentials-object')];
  const given = value as Record<string, unknown>;
  const names = connector.credentialFields.map(({ name }) => name);
  const wrong = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const values = { name: name.slice(0, 50), system: connector.title, names: names.join(', ') };
      return createMessage('credentials-unknown', values);
    });
  const credentials: Record<string, string | number> = {};
  for (const { name, isOptional, kind } of connector.credentialFields) {
    const field = given[name];
    if (field === undefined || field === null || field === '') {
      if (!isOptional) wrong.push(createMessage('credentials-missing', { name }));
    } else if (kind === 'port') {
      const port = Number(field);
      if (Number.isInteger(port) && port > 0 && port < 65_536) credentials[name] = port;
      else wrong.push(createMessage('credentials-port', { name }));
    } else if (typeof field !== 'string' || field.trim() === '' || field.length > maxLength || field.includes('\0')) {
      wrong.push(createMessage('credentials-text', { name, limit: maxLength }));
    } else credentials[name] = field.trim();
  }
  if (wrong.length > 0) return wrong;
  const problem = connector.findCredentialProblem?.(credentials);
  return problem === undefined ? credentials : [problem];
}

const contextOf = ({ companyId, hrIntegrationId }: Integration) =>
  nameSecretOf('hr_connectors', companyId, hrIntegrationId);

export const encryptCredentials = (encryption: Encryption, target: Integration, credentials: Credentials): string =>
  encryption.encrypt(JSON.stringify(credentials), contextOf(target));

const decryptCredentials = (encryption: Encryption, target: Integration, stored: string): Credentials =>
  JSON.parse(encryption.decrypt(stored, contextOf(target)));

export interface ConnectorDeps {
  encryption: Encryption;
  origins: ProviderOrigins;
  allowsPrivateHosts: boolean;
  /** Whether the credentials of the demo connect to a fake. */
  hasDemo: boolean;
  /** Tests shorten the delay before requests are repeated. */
  retryDelayMillis?: number;
  /** Reads in this thread, which starts faster. Only for a fake: what others send may take any memory and time. */
  isTrusted?: boolean;
}

export const readConnectorSettings = (config: Config, encryption: Encryption) => ({
  encryption,
  origins: config.providerOrigins,
  allowsPrivateHosts: config.webhookAllowPrivate,
  hasDemo: config.demo,
  maxEntries: config.maxSyncEntries,
});

interface Caller {
  company: Pick<Company, 'timeZone'>;
  signal: AbortSignal;
  /** Records the requests of a pull with this mapping. */
  recordedMapping?: Mapping | undefined;
}

/** A connection in a thread of its own can say what it has recorded. */
export interface OpenConnection extends Connection {
  takeRecording?(today: string): Promise<Recording | undefined>;
}

/** Returns the origin of a fake if these are credentials of the demo, even wrong ones. */
async function findDemoOrigin(provider: Provider, credentials: Credentials): Promise<string | undefined> {
  if (provider !== 'personio') return undefined;
  const demo = await import('../fake/demo-personio.ts');
  return demo.isDemoClient(credentials) ? demo.openDemoPersonio() : undefined;
}

/** Opens a connection with credentials that may not be stored yet. The caller closes it. */
export async function openNewConnection(
  deps: ConnectorDeps,
  { provider, credentials, company, ...caller }: Caller & { provider: Provider; credentials: Credentials },
): Promise<OpenConnection> {
  const connector = getConnector(provider);
  const demoOrigin = deps.hasDemo ? await findDemoOrigin(provider, credentials) : undefined;
  const options = {
    origin: demoOrigin ?? deps.origins[provider],
    timeZone: company.timeZone,
    allowsPrivateHosts: deps.allowsPrivateHosts,
    ...(deps.retryDelayMillis === undefined ? {} : { retryDelayMillis: deps.retryDelayMillis }),
  };
  if (deps.isTrusted) return connector.open(credentials, { ...options, signal: caller.signal });
  return openLimitedConnection(connector.title, { provider, credentials, options, ...caller });
}

/** Opens a connection with the stored credentials. */
export function openConnection(
  deps: ConnectorDeps,
  { target, row, ...caller }: Caller & { target: Integration; row: ConnectorRow },
): Promise<OpenConnection> {
  const credentials = decryptCredentials(deps.encryption, target, row.encrypted_credentials);
  return openNewConnection(deps, { provider: row.provider, credentials, ...caller });
}

export interface CheckedConnection {
  problems: (Omit<ConnectionProblem, 'code'> & { code: ConnectionProblem['code'] | FailureCode })[];
  /** Empty if the HR system could not be asked. */
  description: Description;
}

const nothing: Description = { fields: [], absenceTypes: [] };

function toProblem(error: unknown): CheckedConnection['problems'][number] {
  if (error instanceof ConnectorError) return { code: error.code, what: null, message: error.explanation };
  if ((error as Error).name !== 'TimeoutError') throw error;
  return { code: 'unreachable', what: null, message: createMessage('connector-timeout') };
}

/** Tests a connection: returns everything that is missing, and what the HR system offers. Closes the connection. */
export async function checkConnection(open: () => Promise<Connection>, mapping: Mapping): Promise<CheckedConnection> {
  let connection: Connection | undefined;
  let problems: CheckedConnection['problems'] = [];
  try {
    connection = await open();
    problems = await connection.check(mapping);
    return { problems, description: await connection.describe(mapping) };
  } catch (error) {
    // Without the permission to read employees, their attributes cannot be described either.
    return { problems: problems.length > 0 ? problems : [toProblem(error)], description: nothing };
  } finally {
    await connection?.close();
  }
}

/** Much more than the largest file or response that is read. */
const maxHeapMegabytes = 1_024;

function read(reply: Reply): unknown {
  if ('result' in reply) return reply.result;
  const { error } = reply;
  if (error.explanation) throw new ConnectorError(error.code, error.explanation, error.retryAfterMillis);
  throw Object.assign(new Error(error.message), error);
}

/**
 * Opens a connection in a thread with limited memory. What an HR system or a server of the company sends decides how much
 * work it is to read, so it neither blocks nor ends the process. The signal ends the thread, whatever it does.
 */
function openLimitedConnection(
  system: string,
  { signal, ...connection }: NewConnection & { signal: AbortSignal },
): OpenConnection {
  const url = new URL('./connection-thread.ts', import.meta.url);
  const thread = startLimitedThread<Call, Reply>(url, { workerData: connection, maxHeapMegabytes, signal });

  async function call<T>(sent: Call): Promise<T> {
    try {
      return read(await thread.call(sent)) as T;
    } catch (error) {
      if (!(error instanceof MemoryExceededError)) throw error;
      throw new ConnectorError('unexpected-response', createMessage('connector-too-large', { system }));
    }
  }

  return {
    check: (mapping) => call({ name: 'check', mapping }),
    describe: (mapping) => call<Description>({ name: 'describe', mapping }),
    async *read(request) {
      await call({ name: 'read', request });
      for (;;) {
        const page = await call<ReadPage | undefined>({ name: 'next' });
        if (page === undefined) return;
        yield page;
      }
    },
    takeRecording: (today) => call({ name: 'recording', today }),
    close: () => thread.stop(),
  };
}
