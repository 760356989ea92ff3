import { chunksOf, nextOf } from '../../domain/chunks.ts';
import { mayMailEmployee } from '../../platform/config/mail-allow.ts';
import type { Tx } from '../../platform/db/database.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import type { Company } from '../companies/companies.ts';
import type { AppContext, CompanyContext } from '../context.ts';
import { mailLanguageOf } from '../notices/texts.ts';
import { type LinksBody, maxLinks, type SigningLinks } from './contract.ts';
import { createLinks, createReminders, listRemindableIds, listSignableIds, type SigningLink } from './links.ts';
import { selectIds } from './select.ts';

const linksAtOnce = 100;

interface SendOptions {
  mail: AppContext['mail'];
  company: Pick<Company, 'name' | 'locale' | 'timeZone'>;
  /** A link replaces an earlier one. A reminder opens the link that the employee has. */
  template: 'signing-link' | 'signing-reminder';
}

/**
 * Creates links for the selected employees and mails them. Returns those that no mail reaches: without a mail server, and
 * on staging those to addresses that MAIL_ALLOW does not list.
 */
export async function sendLinks(
  { db, config, companyId, by, write }: Pick<CompanyContext, 'db' | 'config' | 'companyId' | 'by' | 'write'>,
  { mail, company, template }: SendOptions,
  { limit = maxLinks, after, ...selection }: LinksBody,
): Promise<SigningLinks> {
  const { timeZone } = company;
  const isReminder = template === 'signing-reminder';
  const selected = await selectIds(db, companyId, selection);
  const possible = isReminder
    ? await listRemindableIds(db, companyId, selected, timeZone)
    : await listSignableIds(db, companyId, selected);
  const create = (tx: Tx, ids: readonly number[]) =>
    isReminder ? createReminders(tx, companyId, ids, { by, timeZone }) : createLinks(tx, companyId, ids, { by });
  const { ids, ...rest } = nextOf(possible, { after, limit });
  const isMailed = ({ email }: { email: string }) => mail.isConfigured && mayMailEmployee(config, email);
  const links: (SigningLink & { name: string; url: string })[] = [];
  for (const some of chunksOf(ids, linksAtOnce)) {
    await write(async (tx) => {
      for (const made of await create(tx, some)) {
        const name = `${made.firstName} ${made.lastName}`;
        const url = `${config.publicUrl}/sign/${made.token}`;
        links.push({ ...made, name, url });
        if (!isMailed(made)) continue;
        await mail.queueMail(tx, {
          companyId,
          key: made.mailKey,
          to: made.email,
          language: mailLanguageOf(company),
          template,
          values: { company: company.name, name, url, expires: { at: made.expiresAt, timeZone } },
          expiresAt: Temporal.Instant.from(made.expiresAt),
        });
      }
    });
  }
  return {
    created: links.length,
    mailed: links.length === 0 ? mail.isConfigured : links.every(isMailed),
    skipped: selected.length - possible.length,
    ...rest,
    links: links
      .filter((link) => !isMailed(link))
      .map(({ employeeId, name, email, url, expiresAt }) => ({
        ...{ employeeId, name, email, url },
        expiresAt: presentTimestamp(expiresAt),
      })),
  };
}
