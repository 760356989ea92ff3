import type { Provider } from '../../domain/enums.ts';
import type { Connector } from './connector.ts';
import { personio } from './personio.ts';

/** Every HR system that can be connected. */
const connectors: readonly Connector[] = [personio];

export const findConnector = (provider: Provider): Connector | undefined =>
  connectors.find((one) => one.provider === provider);
