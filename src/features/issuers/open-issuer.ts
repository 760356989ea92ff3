import type { Config } from '../../platform/config/config.ts';
import type { Encryption } from '../../platform/crypto/encryption.ts';
import type { IssuerDeps } from './providers/issuer.ts';

export const readIssuerSettings = (config: Config, encryption: Encryption): IssuerDeps => ({
  encryption,
  allowsPrivateHosts: config.webhookAllowPrivate,
  config,
});
