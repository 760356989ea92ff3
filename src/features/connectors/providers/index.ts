import type { Provider } from '../../../domain/enums.ts';
import { bamboohr } from './bamboohr.ts';
import type { Connector } from './connector.ts';
import { hibob } from './hibob.ts';
import { personio } from './personio.ts';
import { sftpCsv } from './sftp-csv.ts';

/** Every HR system that can be connected. */
const connectors: readonly Connector[] = [personio, hibob, bamboohr, sftpCsv];

export const findConnector = (provider: Provider): Connector | undefined =>
  connectors.find((one) => one.provider === provider);
