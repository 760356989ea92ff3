import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { required, text } from '../../platform/cli/options.ts';

export const ticketCommands: CommandGroup = {
  description: 'Verify the QR codes of tickets',
  commands: {
    'public-key': command({
      description: 'Print the public key with which inspectors verify the QR codes of tickets.',
      examples: ['ticket public-key'],
      load: async () => (await import('./verify.ts')).showPublicKey,
    }),
    verify: command({
      description: 'Check the signature of a QR code and print its content.',
      options: {
        code: required(
          text('code', 'Content of the QR code, which starts with TB1, or with TB1T outside of production.'),
        ),
        publicKey: text('key', 'Public key to check with (default: the key of this service)'),
      },
      examples: ['ticket verify --code TB1.…'],
      load: async () => (await import('./verify.ts')).verifyTicket,
    }),
  },
};
