import { startSmtpServer } from '../../test/support/smtp.ts';

/** A mail server in a process of its own, so that it does not compete with what is measured. Prints its URL. */
const { env } = await startSmtpServer();
process.stdout.write(`${env.SMTP_URL}\n`);
