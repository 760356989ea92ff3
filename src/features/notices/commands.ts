import { randomUUID } from 'node:crypto';
import type { Language } from '../../domain/enums.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { openTransport, type SendFailure } from '../../platform/mail-transport/transport.ts';
import { composeMail } from './compose.ts';

const remedies: Record<SendFailure['kind'], string> = {
  refused:
    'The mail server refuses this address or this mail. Check the address, and that the server may send for MAIL_FROM.',
  temporary: 'The mail server does not accept the mail at the moment. Try again in a few minutes.',
  unreachable:
    'The mail server cannot be used. Check the host, port, user and password of SMTP_URL, and that it offers TLS.',
};

/** Sends a mail without the worker, so that a wrong setting shows at once. */
export async function testMail(
  { address, language = 'en' }: { address: string; language: Language | undefined },
  { config }: CommandContext,
) {
  const { smtp, publicUrl } = config;
  if (smtp === undefined)
    throw new OperatorError('No mail server is configured: set SMTP_URL and MAIL_FROM (docs/operate/configure.md).');
  const transport = openTransport(smtp);
  try {
    const messageId = `<${randomUUID()}@${new URL(publicUrl).hostname}>`;
    const content = composeMail('test', language, { url: publicUrl });
    const failure = await transport.send({ to: address, ...content, messageId, date: new Date() });
    if (failure !== undefined)
      throw new OperatorError(`The mail was not sent (${failure.code}). ${remedies[failure.kind]}`);
    return { sentTo: address, from: smtp.from, messageId };
  } finally {
    transport.close();
  }
}
