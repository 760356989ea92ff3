import { sql } from 'kysely';
import { isEmailAddress } from '../../domain/email-address.ts';
import type { EmployeeMailKind } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { invalidValue, notFound } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import type { MailSettings, MailSettingsBody } from './contract.ts';
import { switchableMailKinds } from './rules/kinds.ts';

interface StoredMailSettings {
  replyTo: string | null;
  switchedOff: string[];
}

async function findStored(db: Db | Tx, companyId: CompanyId, lock = sql``): Promise<StoredMailSettings> {
  const { rows } = await sql<StoredMailSettings>`
    select c.mail_reply_to as "replyTo", c.switched_off_mails as "switchedOff" from companies c
    where c.id = ${companyId} ${lock}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw notFound('company');
  return row;
}

function reachOf({ environment, mailAllow, smtp }: Config): MailSettings['reaches'] {
  if (environment === 'production') return smtp === undefined ? 'nobody' : 'everybody';
  return smtp === undefined || mailAllow === undefined ? 'nobody' : 'listed';
}

/** Returns which mails the employees of a company get. */
export async function showMailSettings({ db, companyId, config }: CompanyContext): Promise<MailSettings> {
  const { replyTo, switchedOff } = await findStored(db, companyId);
  const mails = switchableMailKinds.map((kind) => ({ kind, isOn: !switchedOff.includes(kind) }));
  return { replyTo, mails, reaches: reachOf(config) };
}

const normalizeAddress = (replyTo: string | null) => replyTo?.trim() || null;

/** Changes which mails employees get, and where their answers go. What is switched off is not sent any more. */
export async function changeMailSettings(
  { companyId, by, write }: CompanyContext,
  { replyTo: given, mails = [] }: MailSettingsBody,
): Promise<void> {
  const replyTo = given === undefined ? undefined : normalizeAddress(given);
  if (typeof replyTo === 'string' && !isEmailAddress(replyTo))
    throw invalidValue('/replyTo', 'invalid', createMessage('value-reply-to'));
  for (const [index, { kind, isOn }] of mails.entries()) {
    if (!isOn && !switchableMailKinds.includes(kind))
      throw invalidValue(`/mails/${index}/kind`, 'invalid', createMessage('value-mail-required'));
  }
  await write(async (tx) => {
    const current = await findStored(tx, companyId, sql`for no key update`);
    const off = new Set(current.switchedOff);
    for (const { kind, isOn } of mails) off[isOn ? 'delete' : 'add'](kind);
    const wanted = {
      mailReplyTo: replyTo === undefined ? current.replyTo : replyTo,
      switchedOffMails: switchableMailKinds.filter((kind) => off.has(kind)),
    };
    const changes = [
      { setting: 'mailReplyTo', from: current.replyTo, to: wanted.mailReplyTo },
      {
        setting: 'switchedOffMails',
        from: current.switchedOff,
        to: wanted.switchedOffMails,
      },
    ].filter(({ from, to }) => String(from) !== String(to));
    if (changes.length === 0) return;
    await sql`update companies c set mail_reply_to = ${wanted.mailReplyTo},
      switched_off_mails = ${wanted.switchedOffMails}::text[] where c.id = ${companyId}`.execute(tx);
    for (const detail of changes)
      await insertAudit(tx, companyId, { action: 'company.change-setting', target: detail.setting, detail, ...by });
  });
}

interface CommandInput {
  replyTo: string | undefined;
  on: string | undefined;
  off: string | undefined;
}

const kindsOf = (text: string | undefined) => (text ?? '').split(',').flatMap((name) => name.trim() || []);

/** Changes what is given, and returns the settings. For the command line. */
export async function setMails(context: CompanyContext, { replyTo, on, off }: CommandInput) {
  const list = (text: string | undefined, isOn: boolean) =>
    kindsOf(text).map((name) => {
      const kind = switchableMailKinds.find((one) => one === name) as EmployeeMailKind | undefined;
      if (kind !== undefined) return { kind, isOn };
      const names = switchableMailKinds.join(', ');
      throw invalidValue(isOn ? '/on' : '/off', 'invalid', createMessage('value-mail-kinds', { names }));
    });
  const mails = [...list(on, true), ...list(off, false)];
  await changeMailSettings(context, { ...(replyTo === undefined ? {} : { replyTo: replyTo || null }), mails });
  const { reaches: _, ...settings } = await showMailSettings(context);
  return settings;
}
