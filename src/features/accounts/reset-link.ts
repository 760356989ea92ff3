import { randomUUID } from 'node:crypto';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { AppContext } from '../context.ts';
import type { Account } from './credentials.ts';
import { findRecipient } from './notices.ts';
import { insertResetToken, resetMinutes } from './reset-token.ts';

const urlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, token: string) => `${publicUrl}/new-password#${token}`;

const endOfLink = () => Temporal.Now.instant().add({ minutes: resetMinutes });

/** Mails a user the link with which they choose a new password. Nobody else sees it. */
export async function queueResetLink(
  tx: Tx,
  { config, mail }: Pick<AppContext, 'config' | 'mail'>,
  account: Account,
): Promise<Temporal.Instant> {
  const expiresAt = endOfLink();
  const recipient = await findRecipient(tx, account);
  if (recipient === undefined) return expiresAt;
  const { email, language, company } = recipient;
  const token = await insertResetToken(tx, account.userId, 'mail');
  await mail.queueMail(tx, {
    companyId: account.companyId,
    key: `password-reset/${randomUUID()}`,
    to: email,
    language,
    template: 'password-reset',
    values: {
      company: company.name,
      url: urlOf(config, token),
      expires: { at: expiresAt.toString(), timeZone: company.timeZone },
    },
    expiresAt,
  });
  return expiresAt;
}

/** Creates such a link for an admin, who passes it on where there is no mail server. */
export async function createResetLink(tx: Tx, config: Pick<Config, 'publicUrl'>, { userId }: Account) {
  return { link: urlOf(config, await insertResetToken(tx, userId, 'admin')), expiresAt: endOfLink() };
}
