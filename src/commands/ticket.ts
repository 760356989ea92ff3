import { OperatorError } from '../operator-error.ts';
import { openSessionSecret } from '../portal/sign-in/secret.ts';
import { createTicketSigner, verifyTicketCode } from '../wallet/ticket-code.ts';
import type { CommandContext } from './define.ts';

export async function showPublicKey(_options: unknown, { config }: CommandContext) {
  const { keyId, publicKey } = createTicketSigner(await openSessionSecret(config));
  return { algorithm: 'Ed25519', keyId, publicKey };
}

interface VerifyOptions {
  code: string;
  publicKey: string | undefined;
}

export async function verifyTicket({ code, publicKey }: VerifyOptions, { config }: CommandContext) {
  const key = publicKey ?? createTicketSigner(await openSessionSecret(config)).publicKey;
  const verdict = verifyTicketCode(code, key);
  if (verdict.problem !== null) throw new OperatorError(verdict.problem);
  return { signature: 'valid', keyId: verdict.keyId, ...verdict.claims };
}
