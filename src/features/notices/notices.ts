import type { Role, StoredRole } from '../../domain/enums.ts';
import { rolesOf } from '../../domain/roles.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Mail } from './queue.ts';
import { type NoticeName, noticesOf } from './rules/notices.ts';
import { type MailValues, mailLanguageTo } from './texts.ts';

export interface Notice<T extends NoticeName> {
  name: T;
  /** Names the occasion among those of this notice. A second notice of the same occasion is not sent. */
  occasion: string;
  /** The page of the portal on which users see what the notice is about. */
  page: `/${string}`;
  /** Returns what the text needs besides the company and the link. */
  valuesIn(timeZone: string): Omit<MailValues[T], 'company' | 'url'>;
}

/** Tells the users of a company by mail what needs their attention. */
export interface Notices {
  /** Without a mail server no notice is written, so what only notices need can be skipped. */
  isConfigured: boolean;
  /**
   * Writes a mail to every user who can do something about it and has not switched it off, in the transaction of the
   * change that it is about.
   */
  queueNotices<T extends NoticeName>(tx: Tx, companyId: CompanyId, notice: Notice<T>): Promise<void>;
}

async function listRecipients(tx: Tx, companyId: CompanyId, name: NoticeName) {
  const users = await tx
    .selectFrom('portal_users as u')
    .select(['u.id', 'u.email', 'u.language', 'u.role', 'u.roles', 'u.switched_off_notices as switchedOff'])
    .where(ofCompany(companyId, 'u'))
    .where('u.removed_at', 'is', null)
    .orderBy('u.id')
    .execute();
  return users.filter(({ role, roles, switchedOff }) => {
    const held = rolesOf({ role: role as StoredRole, roles: roles as Role[] | null });
    return noticesOf(held).includes(name) && !switchedOff?.includes(name);
  });
}

export const createNotices = (mail: Mail, publicUrl: string): Notices => ({
  isConfigured: mail.isConfigured,
  async queueNotices(tx, companyId, { name, occasion, page, valuesIn }) {
    if (!mail.isConfigured) return;
    const recipients = await listRecipients(tx, companyId, name);
    if (recipients.length === 0) return;
    const company = await tx
      .selectFrom('companies as c')
      .select(['c.name', 'c.locale', 'c.time_zone as timeZone'])
      .where('c.id', '=', companyId)
      .executeTakeFirstOrThrow();
    const values = { ...valuesIn(company.timeZone), company: company.name, url: `${publicUrl}${page}` };
    for (const { id, email, language } of recipients) {
      await mail.queueMail(tx, {
        companyId,
        key: `${name}/${occasion}/${id}`,
        to: email,
        language: mailLanguageTo({ language }, company),
        template: name,
        values: values as unknown as MailValues[typeof name],
      });
    }
  },
});

/** For work that sends no notices, such as the history of the demo. */
export const noNotices: Notices = { isConfigured: false, queueNotices: async () => {} };
