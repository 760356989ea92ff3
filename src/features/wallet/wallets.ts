import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../platform/config/config.ts';
import { type AppleWallet, openAppleWallet } from './apple.ts';
import { describeExpiry } from './apple-certificate.ts';
import { type GoogleWallet, openGoogleWallet } from './google.ts';

/** The wallets for which this service can create passes. A wallet without settings is undefined. */
export interface Wallets {
  apple: AppleWallet | undefined;
  google: GoogleWallet | undefined;
}

/** Reads and checks the files that the settings name, so that a mistake prevents the start and not the first pass. */
export async function openWallets(config: Config, log: FastifyBaseLogger): Promise<Wallets> {
  const { appleWallet, googleWallet, publicUrl } = config;
  const apple = appleWallet && (await openAppleWallet(appleWallet));
  const google = googleWallet && (await openGoogleWallet(googleWallet, publicUrl));
  const warning = apple && describeExpiry(apple.expiresAt, Temporal.Now.instant());
  if (warning !== undefined) log.warn({ wallet: 'apple', warning }, 'wallet certificate expires');
  return { apple, google };
}
