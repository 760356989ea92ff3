import type { Company } from '../../companies.ts';
import type { Config, ProviderOrigins } from '../../config.ts';
import type { Provider } from '../../domain/enums.ts';
import type { Encryption } from '../../encryption.ts';
import type { Connection, Credentials } from '../connectors/connector.ts';
import { ConnectorError } from '../connectors/connector-error.ts';
import { findConnector } from '../connectors/index.ts';
import type { SyncTarget } from '../sync/target.ts';
import { decryptCredentials } from './credentials.ts';
import type { ConnectorRow } from './queries.ts';

/** What reaching HR systems requires besides their credentials. */
export interface ConnectorDeps {
  encryption: Encryption;
  origins: ProviderOrigins;
  allowsPrivateHosts: boolean;
  /** Whether the credentials of the demo connect to a fake. */
  hasDemo: boolean;
  /** Tests shorten the delay before requests are repeated. */
  retryDelayMillis?: number;
}

/** Returns what the settings say about reaching HR systems. */
export const readConnectorSettings = (config: Config, encryption: Encryption) => ({
  encryption,
  origins: config.providerOrigins,
  allowsPrivateHosts: config.webhookAllowPrivate,
  hasDemo: config.demo,
  maxEntries: config.maxSyncEntries,
});

interface OpenedConnection {
  target: SyncTarget;
  row: Pick<ConnectorRow, 'provider' | 'encrypted_credentials'>;
  company: Pick<Company, 'timeZone'>;
  signal: AbortSignal;
}

/** Returns the origin of a fake if these are the credentials of the demo. */
async function findDemoOrigin(provider: Provider, credentials: Credentials): Promise<string | undefined> {
  if (provider !== 'personio') return undefined;
  const demo = await import('../demo/demo-personio.ts');
  return demo.isDemoCredentials(credentials) ? demo.openDemoPersonio() : undefined;
}

/** Opens a connection with the stored credentials. The caller closes it. */
export async function openConnection(
  deps: ConnectorDeps,
  { target, row, company, signal }: OpenedConnection,
): Promise<Connection> {
  const connector = findConnector(row.provider);
  if (connector === undefined) {
    throw new ConnectorError('internal', `This version cannot connect to ${row.provider}. Upgrade the service.`);
  }
  const credentials = decryptCredentials(deps.encryption, target, row.encrypted_credentials);
  const demoOrigin = deps.hasDemo ? await findDemoOrigin(row.provider, credentials) : undefined;
  return connector.open(credentials, {
    origin: demoOrigin ?? deps.origins[row.provider],
    signal,
    timeZone: company.timeZone,
    allowsPrivateHosts: deps.allowsPrivateHosts,
    ...(deps.retryDelayMillis === undefined ? {} : { retryDelayMillis: deps.retryDelayMillis }),
  });
}
