import type { Provider } from '../../../domain/enums.ts';
import { createMessage } from '../../../domain/messages/message.ts';
import type { Config, ProviderOrigins } from '../../../platform/config/config.ts';
import type { Encryption } from '../../../platform/crypto/encryption.ts';
import type { Company } from '../../companies/companies.ts';
import type { SyncTarget } from '../../roster/target.ts';
import type { Connection, Credentials } from '../providers/connector.ts';
import { ConnectorError } from '../providers/connector-error.ts';
import { findConnector } from '../providers/index.ts';
import { decryptCredentials } from './credentials.ts';
import { openLimitedConnection } from './limited-connection.ts';
import type { ConnectorRow } from './store.ts';

/** What reaching HR systems requires besides their credentials. */
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

/** Returns what the settings say about reaching HR systems. */
export const readConnectorSettings = (config: Config, encryption: Encryption) => ({
  encryption,
  origins: config.providerOrigins,
  allowsPrivateHosts: config.webhookAllowPrivate,
  hasDemo: config.demo,
  maxEntries: config.maxSyncEntries,
});

interface NewConnectionOptions {
  provider: Provider;
  credentials: Credentials;
  company: Pick<Company, 'timeZone'>;
  signal: AbortSignal;
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
  { provider, credentials, company, signal }: NewConnectionOptions,
): Promise<Connection> {
  const connector = findConnector(provider);
  if (connector === undefined) {
    throw new ConnectorError('internal', createMessage('connector-unknown', { provider }));
  }
  const demoOrigin = deps.hasDemo ? await findDemoOrigin(provider, credentials) : undefined;
  const options = {
    origin: demoOrigin ?? deps.origins[provider],
    timeZone: company.timeZone,
    allowsPrivateHosts: deps.allowsPrivateHosts,
    ...(deps.retryDelayMillis === undefined ? {} : { retryDelayMillis: deps.retryDelayMillis }),
  };
  if (deps.isTrusted) return connector.open(credentials, { ...options, signal });
  return openLimitedConnection(connector.title, { provider, credentials, options, signal });
}

interface StoredConnectionOptions extends Pick<NewConnectionOptions, 'company' | 'signal'> {
  target: SyncTarget;
  row: Pick<ConnectorRow, 'provider' | 'encrypted_credentials'>;
}

/** Opens a connection with the stored credentials. The caller closes it. */
export function openConnection(
  deps: ConnectorDeps,
  { target, row, ...rest }: StoredConnectionOptions,
): Promise<Connection> {
  const credentials = decryptCredentials(deps.encryption, target, row.encrypted_credentials);
  return openNewConnection(deps, { provider: row.provider, credentials, ...rest });
}
