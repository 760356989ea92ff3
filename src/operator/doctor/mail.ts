import type { Config } from '../../platform/config/config.ts';
import { openTransport } from '../../platform/mail-transport/transport.ts';
import { fail, ok, type Result, skipped } from './finding.ts';

/** Less than a check may take altogether. */
const connectSeconds = 4;

const remedies: Record<string, string> = {
  EAUTH: 'correct the user and the password in SMTP_URL',
  EDNS: 'correct the host in SMTP_URL, or the name resolution of this machine',
  ETLS: 'use smtps:// with its port if the server expects TLS at once, or check its certificate and that it offers STARTTLS',
};

const unreachable =
  'correct the host and the port in SMTP_URL, and check that this machine may open connections to them';

/** Returns whom mails on staging reach. Production writes to everybody. */
function checkMailAllow({ environment, mailAllow }: Config): Result[] {
  if (environment === 'production') return [];
  if (mailAllow === undefined)
    return [ok('staging sends no mails to employees, the portal shows them; MAIL_ALLOW lists addresses that get them')];
  return [ok(`staging sends mails only to ${mailAllow.join(', ')}`)];
}

export const checkMail = async (config: Config): Promise<Result[]> => [
  ...(await checkServer(config)),
  ...checkMailAllow(config),
];

async function checkServer({ smtp }: Config): Promise<Result[]> {
  if (smtp === undefined) {
    const byLink = 'admins pass on the links of invitations and signatures';
    const byCommand = '`user reset-password` and `user prove-address` do what mails would';
    return [skipped(`no mail server is configured: ${byLink}, and the commands ${byCommand}`)];
  }
  const { host, username } = new URL(smtp.url);
  const transport = openTransport(smtp, connectSeconds);
  try {
    const failure = await transport.check();
    const signedIn = username === '' ? 'accepts connections' : 'accepts the user and the password';
    if (failure === undefined) return [ok(`the mail server ${host} ${signedIn}; \`mail test ADDRESS\` sends a mail`)];
    const { code } = failure;
    return [
      fail(`the mail server ${host} cannot be used (${code})`, remedies[code.split(' ')[0] ?? ''] ?? unreachable),
    ];
  } finally {
    transport.close();
  }
}
