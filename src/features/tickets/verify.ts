import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { openSecret } from '../../platform/crypto/open-secret.ts';
import { createTicketSigner, verifyTicketCode } from '../wallet/ticket-code.ts';

export async function showPublicKey(_options: unknown, { config }: CommandContext) {
  const { keyId, publicKey } = createTicketSigner(await openSecret(config));
  return { algorithm: 'Ed25519', keyId, publicKey };
}

interface VerifyOptions {
  code: string;
  publicKey: string | undefined;
}

export async function verifyTicket({ code, publicKey }: VerifyOptions, { config }: CommandContext) {
  const key = publicKey ?? createTicketSigner(await openSecret(config)).publicKey;
  const verdict = verifyTicketCode(code, key);
  if (verdict.problem !== null) throw new OperatorError(verdict.problem);
  return { signature: 'valid', keyId: verdict.keyId, ...verdict.claims };
}
