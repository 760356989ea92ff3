import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The whole message, its transfer encoding undone where it is quoted-printable. */
  text: string;
  subject: string;
  messageId: string;
}

/** What the server answers instead of accepting: an SMTP code. */
type Answer = number | undefined;

export interface SmtpOptions {
  /** Refuses everybody else, and everything before the sign-in. */
  credentials?: { user: string; password: string };
  /** Decides per recipient. */
  onRecipient?: (address: string) => Answer;
  /** Decides when the message has arrived, by how many have arrived before. The message counts as received all the same. */
  onMessage?: (mail: ReceivedMail, index: number) => Answer | Promise<Answer>;
}

const refusal = (code: number) => Object.assign(new Error('refused by the test'), { responseCode: code });

/** Undoes quoted-printable and encoded words, as far as our mails use them. */
const decodeBytes = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
const decodeBody = (raw: string) => decodeBytes(raw.replaceAll(/=\r?\n/g, ''));
const decodeSubject = (raw: string) =>
  raw
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_all, text: string) => decodeBytes(text.replaceAll('_', ' ')))
    .replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_all, text: string) => Buffer.from(text, 'base64').toString('utf8'));

function readMail(raw: string, { from, to }: Pick<ReceivedMail, 'from' | 'to'>): ReceivedMail {
  const unfolded = raw.replaceAll(/\r\n[ \t]+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? '';
  return {
    from,
    to,
    text: decodeBody(raw),
    subject: decodeSubject(header('subject')),
    messageId: header('message-id'),
  };
}

/** Starts a mail server on a port of its own. It keeps what it receives. */
export async function startSmtpServer({ credentials, onRecipient, onMessage }: SmtpOptions = {}) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === credentials?.user && password === credentials?.password) done(null, { user: username });
      else done(refusal(535));
    },
    onRcptTo({ address }, _session, done) {
      const code = onRecipient?.(address);
      done(code === undefined ? null : refusal(code));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = readMail(Buffer.concat(chunks).toString('latin1'), {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
        });
        received.push(mail);
        const code = await onMessage?.(mail, received.length - 1);
        done(code === undefined ? null : refusal(code));
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const access = credentials === undefined ? '' : `${credentials.user}:${encodeURIComponent(credentials.password)}@`;
  return {
    env: { SMTP_URL: `smtp://${access}127.0.0.1:${port}`, MAIL_FROM: 'Transit benefits <benefits@example.com>' },
    received,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
