import { randomUUID } from 'node:crypto';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { AppContext } from '../context.ts';
import { mailLanguageTo } from '../notices/language.ts';
import type { MailValues } from '../notices/texts.ts';
import type { Account } from './credentials.ts';

type NoticeTemplate = 'new-sign-in' | 'password-changed' | 'second-factor-changed';

/** A notice, without what all of them contain. */
interface Notice<T extends NoticeTemplate> {
  template: T;
  values: Omit<MailValues[T], 'company' | 'time' | 'url'>;
}

/** Returns who receives mails about an account, and in which language. */
export async function findRecipient(tx: Tx, { companyId, userId }: Account) {
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
