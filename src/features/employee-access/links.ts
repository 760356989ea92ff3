import { randomUUID } from 'node:crypto';
import { emailKey as keyOf } from '../../domain/search.ts';
import type { Config } from '../../platform/config/config.ts';
import { createSecret, formatToken, hashSecret } from '../../platform/crypto/company-token.ts';
import type { Encryption } from '../../platform/crypto/encryption.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { notFound, unavailable } from '../../platform/http/errors.ts';
import { type By, insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import { linkMinutes } from './cookies.ts';
import { insertLink, listCompaniesOf, lockEmployee } from './store.ts';

/** Returns the address of a link. Browsers do not send its last part, so it gets into no log and no referrer. */
const urlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, token: string) => `${publicUrl}/my/enter#${token}`;

interface NewAccessLink {
  companyId: CompanyId;
  employeeId: number;
  by: By;
}

/**
 * Creates a link that somebody else passes on to the employee: HR or the operator. It works once, in any browser, and opens
 * this employment only. Throws if there is no such employee.
 */
export async function createAccessLink(
  tx: Tx,
  { config }: { config: Pick<Config, 'publicUrl'> },
  { companyId, employeeId, by }: NewAccessLink,
): Promise<string> {
  if ((await lockEmployee(tx, companyId, { id: employeeId })) === undefined) throw notFound('employee');
  const secret = createSecret();
  const link = { id: randomUUID(), employeeId, tokenHash: hashSecret(secret) };
  await insertLink(tx, companyId, { ...link, browserHash: null, otherCompanies: null });
  await insertAudit(tx, companyId, { action: 'employee.create-access-link', target: String(employeeId), ...by });
  return urlOf(config, formatToken({ companyId, secret }));
}

interface LinkRequest {
  companyId: CompanyId;
  employee: { id: number; emailKey?: never } | { id?: never; emailKey: string };
  /** Names the request. A link that was mailed for it is not mailed again. */
  id: string;
  /** The browser that asked. Null: the link opens in any. */
  browserHash: Buffer | null;
  /** Other companies that may have an employee with the address. */
  otherCompanies: readonly CompanyId[];
  by: By;
}

interface MailDeps {
  config: Pick<Config, 'publicUrl'>;
  employeeMails: EmployeeMails;
}

/** Mails a link to the address of an employee. It works once, and opens what the address has at the other companies as well. */
export async function mailAccessLink(
  tx: Tx,
  { config, employeeMails }: MailDeps,
  { companyId, employee, id, browserHash, otherCompanies, by }: LinkRequest,
): Promise<void> {
  const found = await lockEmployee(tx, companyId, employee);
  if (found === undefined) return;
  const secret = createSecret();
  const link = { id, employeeId: found.id, tokenHash: hashSecret(secret), browserHash, otherCompanies };
  const expiresAt = await insertLink(tx, companyId, link);
  if (expiresAt === undefined) return;
  const values = { url: urlOf(config, formatToken({ companyId, secret })), expiresAt };
  const mail = { employeeId: found.id, kind: 'access-link' as const, occasion: id, values };
  await employeeMails.queue(tx, companyId, [{ ...mail, expiresAt: Temporal.Instant.from(expiresAt) }]);
  await insertAudit(tx, companyId, { action: 'employee.mail-access-link', target: String(found.id), ...by });
}

/** What a job is given, encrypted: jobs are logged when they fail, and addresses are not. */
interface RequestedLink {
  id: string;
  email: string;
  browser: string;
  expiresAt: number;
}

const context = 'request of an access link';

/** Returns what a job needs to mail the link that somebody has asked for. Looks nothing up. */
export function sealRequest(encryption: Encryption, { email, browserHash }: { email: string; browserHash: Buffer }) {
  const request: RequestedLink = {
    ...{ id: randomUUID(), email, browser: browserHash.toString('hex') },
    expiresAt: Date.now() + linkMinutes * 60_000,
  };
  return encryption.encrypt(JSON.stringify(request), context);
}

interface JobDeps extends MailDeps {
  db: Db;
  encryption: Encryption;
  now: () => Temporal.Instant;
}

/** Mails the link that somebody has asked for, if an employee has the address. Can be repeated. */
export async function mailRequestedLink({ db, encryption, now, ...deps }: JobDeps, sealed: string): Promise<void> {
  const { id, email, browser, expiresAt } = JSON.parse(encryption.decrypt(sealed, context)) as RequestedLink;
  if (Date.now() >= expiresAt) return;
  const emailKey = keyOf(email);
  const { companyIds, isComplete } = await listCompaniesOf(db, emailKey);
  const [companyId, ...otherCompanies] = companyIds;
  if (companyId === undefined) {
    // The job is repeated: the companies of a node that does not respond may have an employee with the address.
    if (!isComplete) throw unavailable('A node of the database does not respond.');
    return;
  }
  const by = { actor: { type: 'service', name: null }, at: now() } as const;
  const request = { id, browserHash: Buffer.from(browser, 'hex'), otherCompanies, by };
  await writeCompany(db, companyId, (tx) =>
    mailAccessLink(tx, deps, { companyId, employee: { emailKey }, ...request }),
  );
}

/** Creates a link for support. For the command line. */
export async function createLinkForSupport(
  { config, companyId, by, write }: CompanyContext,
  { employee: employeeId }: { employee: number },
) {
  return { url: await write((tx) => createAccessLink(tx, { config }, { companyId, employeeId, by })) };
}
