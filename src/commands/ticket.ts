import { OperatorError } from '../operator-error.ts';
import { openSessionSecret } from '../portal/sign-in/secret.ts';
import { createTicketSigner, verifyTicketCode } from '../wallet/ticket-code.ts';
import type { Command } from './command.ts';

export const ticketPublicKey: Command = {
  usage: 'ticket public-key',
  run: async (_args, config) => {
    const { keyId, publicKey } = createTicketSigner(await openSessionSecret(config));
    return { algorithm: 'Ed25519', keyId, publicKey };
  },
};

export const ticketVerify: Command = {
  usage: 'ticket verify --code CODE [--public-key KEY]',
  run: async (args, config) => {
    const code = args.text('code');
    const publicKey = args.optionalText('public-key') ?? createTicketSigner(await openSessionSecret(config)).publicKey;
    const verdict = verifyTicketCode(code, publicKey);
    if (verdict.problem !== null) throw new OperatorError(verdict.problem);
    return { signature: 'valid', keyId: verdict.keyId, ...verdict.claims };
  },
};
