import { randomUUID } from 'node:crypto';
import type { Config } from '../../platform/config/config.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Account } from '../caller.ts';
import type { AppContext } from '../context.ts';
import { type MailValues, mailLanguageTo } from '../notices/texts.ts';
import { insertToken } from './tokens.ts';

type NoticeTemplate = 'new-sign-in' | 'password-changed' | 'second-factor-changed';

/** A notice, without what all of them contain. */
interface Notice<T extends NoticeTemplate> {
  template: T;
  values: Omit<MailValues[T], 'company' | 'time' | 'url'>;
}

/** Returns who receives mails about an account, and in which language. */
async function findRecipient(tx: Tx, { companyId, userId }: Account) {
  const user = await tx
    .selectFrom('portal_users as u')
    .select(['u.email', 'u.name', 'u.language'])
    .where(ofCompany(companyId, 'u'))
    .where('u.id', '=', userId)
    .where('u.removed_at', 'is', null)
    .executeTakeFirst();
  const company = await tx
    .selectFrom('companies as c')
    .select(['c.name', 'c.locale', 'c.time_zone as timeZone'])
    .where('c.id', '=', companyId)
    .executeTakeFirst();
  return user && company && { email: user.email, language: mailLanguageTo(user, company), company };
}

/** Writes a mail to a user about their access, in the transaction of the change. Users cannot switch these off. */
export async function queueNotice<T extends NoticeTemplate>(
  tx: Tx,
  { mail, config }: Pick<AppContext, 'mail' | 'config'>,
  account: Account,
  { template, values }: Notice<T>,
): Promise<void> {
  if (!mail.isConfigured) return;
  const recipient = await findRecipient(tx, account);
  if (recipient === undefined) return;
  const { email, language, company } = recipient;
  const time = { at: Temporal.Now.instant().toString(), timeZone: company.timeZone };
  await mail.queueMail(tx, {
    companyId: account.companyId,
    key: `${template}/${randomUUID()}`,
    to: email,
    language,
    template,
    values: { company: company.name, time, url: `${config.publicUrl}/account`, ...values } as unknown as MailValues[T],
  });
}

const resetMinutes = 60;

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
  const { token } = await insertToken(tx, 'password-reset', { value: account.userId, minutes: resetMinutes });
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
  const { token } = await insertToken(tx, 'password-reset by admin', { value: userId, minutes: resetMinutes });
  return { link: urlOf(config, token), expiresAt: endOfLink() };
}
