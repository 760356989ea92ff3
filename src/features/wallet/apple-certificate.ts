import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { AppleWalletSettings } from '../../platform/config/config.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { readSettingFile } from '../../platform/config/setting-file.ts';

/** Certificates and key in PEM. The key is already decrypted, so that this cost does not recur for every pass. */
export interface SigningMaterial {
  certificate: string;
  key: string;
  wwdr: string;
  expiresAt: Temporal.Instant;
}

async function readCertificate(setting: string, path: string): Promise<X509Certificate> {
  const bytes = await readSettingFile(setting, path);
  const certificate = (() => {
    try {
      return new X509Certificate(bytes);
    } catch {
      throw new OperatorError(`${setting}: ${path} does not contain a certificate; use a PEM or DER (.cer) file.`);
    }
  })();
  if (certificate.publicKey.asymmetricKeyType === 'rsa') return certificate;
  throw new OperatorError(
    `${setting}: ${path} must contain a certificate with an RSA key, because passes are signed with RSA.`,
  );
}

async function readKey(path: string, password: string | undefined): Promise<KeyObject> {
  const key = await readSettingFile('APPLE_WALLET_KEY', path);
  if (key.includes('ENCRYPTED') && password === undefined) {
    throw new OperatorError(`APPLE_WALLET_KEY: ${path} is encrypted. Set APPLE_WALLET_KEY_PASSWORD.`);
  }
  try {
    return createPrivateKey({ key, format: 'pem', ...(password === undefined ? {} : { passphrase: password }) });
  } catch {
    const hint = password === undefined ? '' : ', or APPLE_WALLET_KEY_PASSWORD is not its password';
    throw new OperatorError(`APPLE_WALLET_KEY: ${path} does not contain a private key in PEM format${hint}.`);
  }
}

/**
 * Reads and checks the signing files. Devices refuse a pass without a reason if its certificate, its identifiers or
 * Apple's intermediate certificate do not match. So everything that can be compared is compared here, where the
 * operator sees the error.
 */
export async function readSigningMaterial(settings: AppleWalletSettings): Promise<SigningMaterial> {
  const certificate = await readCertificate('APPLE_WALLET_CERTIFICATE', settings.certificateFile);
  const key = await readKey(settings.keyFile, settings.keyPassword);
  const wwdr = await readCertificate('APPLE_WALLET_WWDR', settings.wwdrFile);
  if (!certificate.checkPrivateKey(key)) {
    throw new OperatorError(
      'APPLE_WALLET_KEY does not belong to APPLE_WALLET_CERTIFICATE: use the key with which that certificate was requested.',
    );
  }
  if (!certificate.checkIssued(wwdr)) {
    throw new OperatorError(
      'APPLE_WALLET_WWDR did not issue APPLE_WALLET_CERTIFICATE: download the generation that the certificate names as issuer from https://www.apple.com/certificateauthority/.',
    );
  }
  // Apple writes the pass type into UID and the team into OU of the subject.
  const { UID, OU } = certificate.toLegacyObject().subject as { UID?: string; OU?: string };
  if (UID !== undefined && UID !== settings.passType) {
    throw new OperatorError(`APPLE_WALLET_PASS_TYPE must be "${UID}", as in APPLE_WALLET_CERTIFICATE.`);
  }
  if (OU !== undefined && OU !== settings.team) {
    throw new OperatorError(`APPLE_WALLET_TEAM must be "${OU}", as in APPLE_WALLET_CERTIFICATE.`);
  }
  return {
    certificate: certificate.toString(),
    key: String(key.export({ type: 'pkcs8', format: 'pem' })),
    wwdr: wwdr.toString(),
    expiresAt: Temporal.Instant.fromEpochMilliseconds(certificate.validToDate.getTime()),
  };
}

/** An expired certificate only prevents passes, so it is a warning and no reason to refuse everything else. */
export function describeExpiry(expiresAt: Temporal.Instant, now: Temporal.Instant): string | undefined {
  const day = expiresAt.toString().slice(0, 10);
  const remedy = 'request a new one in the Apple developer portal';
  if (Temporal.Instant.compare(expiresAt, now) <= 0) {
    return `APPLE_WALLET_CERTIFICATE expired on ${day}, and iPhones refuse its passes: ${remedy}.`;
  }
  return now.until(expiresAt).total('hours') < 30 * 24
    ? `APPLE_WALLET_CERTIFICATE expires on ${day}: ${remedy}.`
    : undefined;
}
