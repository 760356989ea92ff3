import type { SmtpSettings } from '../config/config.ts';

export interface Message {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same for every attempt, by which a mail server can recognise what it has already received. */
  messageId: string;
  date: Date;
  /** The name beside the operator's address. Absent: that of MAIL_FROM. */
  senderName?: string;
  replyTo?: string | undefined;
  /** A link by which mail programs unsubscribe with one request (RFC 8058). */
  unsubscribeUrl?: string | undefined;
  attachments?: { filename: string; content: Buffer }[];
}

export interface SendFailure {
  /** Without the response of the server, which may contain the address. */
  code: string;
  /** `refused`: the server will never accept this mail. `unreachable`: nor any other mail at the moment. */
  kind: 'refused' | 'temporary' | 'unreachable';
}

export interface MailTransport {
  /** Resolves as soon as the mail server has taken responsibility for the mail. */
  send(message: Message): Promise<SendFailure | undefined>;
  check(): Promise<SendFailure | undefined>;
  close(): void;
}

/** A lease (claim.ts) is longer than all of them together. */
const [connectSeconds, socketSeconds] = [15, 30];

interface SmtpError {
  code?: string;
  command?: string;
  responseCode?: number;
  permanent?: boolean;
}

/** Names a failure. Only what the server says about the recipient or the content is final: settings can be corrected. */
function classify({ code = 'unknown', command = '', responseCode, permanent }: SmtpError): SendFailure {
  const name = responseCode === undefined ? code : `${code} ${responseCode}`;
  const isAboutMail = command.startsWith('RCPT') || command === 'DATA' || command === 'API';
  if (isAboutMail) return { code: name, kind: permanent ? 'refused' : 'temporary' };
  return { code: name, kind: 'unreachable' };
}

/** Returns the address of a sender, which may have a name: `Transit benefits <benefits@example.com>`. */
const addressOf = (from: string) => /<([^<>]+)>$/.exec(from)?.[1] ?? from;

/** Connects to the mail server when there is something to send. `seconds`: how long each step of a connection may take. */
export function openTransport({ url, from, requireTls }: SmtpSettings, seconds = connectSeconds): MailTransport {
  const millis = seconds * 1000;
  /** The package is loaded with the first mail: many processes never send one. */
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      connectionTimeout: millis,
      greetingTimeout: millis,
      dnsTimeout: millis,
      socketTimeout: Math.min(socketSeconds, 2 * seconds) * 1000,
      url,
      ...(url.startsWith('smtps:') ? {} : { requireTLS: requireTls }),
      // No template reads files or addresses.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let opened: ReturnType<typeof open> | undefined;
  const getTransport = () => {
    opened ??= open();
    return opened;
  };
  return {
    send: async ({ to, senderName, replyTo, unsubscribeUrl, ...message }) =>
      (await getTransport())
        .sendMail({
          from: senderName === undefined ? from : { name: senderName, address: addressOf(from) },
          to: { name: '', address: to },
          ...message,
          ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
          ...(unsubscribeUrl === undefined ? {} : { list: { unsubscribe: unsubscribeUrl } }),
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(unsubscribeUrl === undefined ? {} : { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
          },
        })
        .then(
          () => undefined,
          (error: SmtpError) => classify(error),
        ),
    check: async () =>
      (await getTransport()).verify().then(
        () => undefined,
        (error: SmtpError) => classify(error),
      ),
    close: () => void opened?.then((transport) => transport.close()),
  };
}
