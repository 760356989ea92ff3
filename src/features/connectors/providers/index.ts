import type { Provider } from '../../../domain/enums.ts';
import { createMessage } from '../../../domain/messages/message.ts';
import { bamboohr } from './bamboohr.ts';
import { type Connector, ConnectorError } from './connector.ts';
import { hibob } from './hibob.ts';
import { httpJson } from './http-json.ts';
import { personio } from './personio.ts';
import { sftpCsv } from './sftp-csv.ts';

const connectors: readonly Connector[] = [personio, hibob, bamboohr, sftpCsv, httpJson];

/** Throws if a newer version, which runs beside this one, has connected an HR system that this one does not know. */
export function getConnector(provider: Provider): Connector {
  const connector = connectors.find((one) => one.provider === provider);
  if (connector !== undefined) return connector;
  throw new ConnectorError('internal', createMessage('connector-unknown', { provider }));
}
