import { isTestIn } from '../../domain/test-mark.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { openSecret } from '../../platform/crypto/open-secret.ts';
import { createTicketSigner, verifyTicketCode } from '../wallet/ticket-code.ts';

export async function showPublicKey(_options: unknown, { config }: Pick<CommandContext, 'config'>) {
  const { keyId, publicKey } = createTicketSigner(await openSecret(config), isTestIn(config.environment));
  return { algorithm: 'Ed25519', keyId, publicKey };
}

interface VerifyOptions {
  code: string;
  publicKey: string | undefined;
}

export async function verifyTicket({ code, publicKey }: VerifyOptions, { config }: CommandContext) {
  const key = publicKey ?? (await showPublicKey(undefined, { config })).publicKey;
  const verdict = verifyTicketCode(code, key);
  if (verdict.problem !== null) throw new OperatorError(verdict.problem);
  return { signature: 'valid', keyId: verdict.keyId, isTest: verdict.isTest, ...verdict.claims };
}
