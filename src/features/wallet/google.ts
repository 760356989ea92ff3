import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import type { GoogleWalletSettings } from '../../platform/config/config.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { readSettingFile } from '../../platform/config/setting-file.ts';
import type { Pass, PassField } from './present.ts';

export interface GoogleWallet {
  /** Returns a Google URL that contains the signed pass. */
  makeLink(pass: Pass): Promise<string>;
}

interface ServiceAccount {
  email: string;
  key: KeyObject;
}

function parseServiceAccount(text: string): ServiceAccount {
  const { type, client_email: email, private_key: pem } = JSON.parse(text) as Record<string, unknown>;
  if (type !== 'service_account' || typeof email !== 'string' || typeof pem !== 'string') throw new Error('no account');
  const key = createPrivateKey(pem);
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType !== 'rsa' || modulusLength < 2048) throw new Error('no RSA key of 2048 bits');
  return { email, key };
}

async function readServiceAccount(path: string): Promise<ServiceAccount> {
  const text = (await readSettingFile('GOOGLE_WALLET_SERVICE_ACCOUNT', path)).toString();
  try {
    return parseServiceAccount(text);
  } catch {
    // The parsers quote the input that they reject, which may be the key.
    throw new OperatorError(
      `GOOGLE_WALLET_SERVICE_ACCOUNT: ${path} does not contain a service account key; download one as JSON from the Google Cloud console.`,
    );
  }
}

/** Unique among all companies: Google shows the first object with an id to every later user of that id. */
const objectId = (issuer: string, { companyId, ticketId }: Pass) =>
  `${issuer}.${createHash('sha256').update(`${companyId} ${ticketId}`).digest('base64url').slice(0, 22)}`;

/** Short, because the token is part of a URL: about 1,900 characters, and browsers truncated URLs at 2,083. */
function presentPayload(pass: Pass, issuer: string) {
  const text = (value: string) => ({ defaultValue: { language: pass.language, value } });
  const row = (id: string, { label, value }: PassField) => ({ id, header: label, body: value });
  const classId = `${issuer}.deutschlandticket-job`;
  return {
    genericClasses: [{ id: classId, multipleDevicesAndHoldersAllowedStatus: 'ONE_USER_ALL_DEVICES' }],
    genericObjects: [
      {
        id: objectId(issuer, pass),
        classId,
        state: 'ACTIVE',
        hexBackgroundColor: pass.isTest ? '#b42318' : '#0b7285',
        cardTitle: text(pass.isTest ? `TEST · ${pass.product}` : pass.product),
        subheader: text(pass.monthName),
        header: text(pass.holder.value),
        textModulesData: [
          row('validity', pass.validity),
          row('employer', pass.employer),
          ...(pass.isTest || pass.note === null ? [] : [row('note', { label: pass.product, value: pass.note })]),
        ],
        ...(pass.format !== 'none' && {
          barcode: {
            type: pass.format === 'qr' ? 'QR_CODE' : 'AZTEC',
            value: pass.code,
            alternateText: pass.ticket.value,
          },
        }),
        validTimeInterval: { start: { date: pass.startsAt }, end: { date: pass.endsAt } },
      },
    ],
  };
}

export async function openGoogleWallet(
  { serviceAccountFile, issuer }: GoogleWalletSettings,
  publicUrl: string,
): Promise<GoogleWallet> {
  const { email, key } = await readServiceAccount(serviceAccountFile);
  const { origin } = new URL(publicUrl);
  const { SignJWT } = await import('jose');
  return {
    async makeLink(pass) {
      const claims = { typ: 'savetowallet', origins: [origin], payload: presentPayload(pass, issuer) };
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuer(email)
        .setAudience('google')
        // Uses the real time even if the clock of staging was moved, because Google compares it with its own time.
        .setIssuedAt()
        .sign(key);
      return `https://pay.google.com/gp/v/save/${token}`;
    },
  };
}
