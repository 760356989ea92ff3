import { sql } from 'kysely';
import type { EmployeeState } from '../../domain/employee.ts';
import type { ContractDecision } from '../../domain/enums.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { type Actor, insertAudit } from '../activity/record.ts';
import { loadPrices } from '../billing/prices.ts';
import type { TicketPrice } from '../billing/rules/charges.ts';
import { type Company, getCompany, lockCompany } from '../companies/companies.ts';
import type { DailyRunDeps } from '../daily-run/run.ts';
import { contentOf } from '../documents/content-of.ts';
import type { DocumentStore } from '../documents/files.ts';
import type { ContributionAgreement } from '../documents/pdf/content.ts';
import type { Renderer } from '../documents/pdf/renderer.ts';
import { loadEmployees } from '../employees/load.ts';
import { applyDecision } from '../subscriptions/apply-decision.ts';
import { type FoundLink, findLink, type SigningToken } from './links.ts';

export interface SigningDeps extends DailyRunDeps {
  db: Db;
  clock: Clock;
  documents: Pick<DocumentStore, 'put'>;
  renderer: Pick<Renderer, 'render'>;
}

export interface Signature {
  decision: ContractDecision;
  decidedAt: string;
}

/** What an employee sees before they sign. */
export interface SigningOffer {
  companyName: string;
  locale: string;
  currency: string;
  firstName: string;
  lastName: string;
  planType: ContributionAgreement['planType'];
  contributionCents: number | null;
  /** Pending contracts can be decided, and others have been decided by whatever way. */
  contractStatus: EmployeeState['subscription']['contractStatus'];
  signature: Signature | null;
  file: { storeKey: string; sha256: Buffer; sizeBytes: number };
}

/** Returns the agreement as it would be signed now. Keeps the date of an earlier one with the same terms. */
function composeAgreement(
  company: Company,
  employeeId: number,
  employee: EmployeeState,
  { madeOn, last, ticketPrices }: { madeOn: string; last: object | null; ticketPrices: readonly TicketPrice[] },
): ContributionAgreement {
  const planned = { kind: 'contribution-agreement', about: Temporal.PlainDate.from(madeOn) } as const;
  const offered = { ticketPrices, agreedOn: null, given: null, isOwn: true, recordedBy: null };
  const subject = { company, employeeId, employee, madeOn, agreement: offered };
  const agreement = contentOf(subject, planned) as ContributionAgreement;
  const earlier = last as ContributionAgreement | null;
  return earlier !== null && haveSameTerms({ ...earlier, madeOn }, agreement) ? earlier : agreement;
}

/** The database does not keep the order of fields. */
const sorted = (content: object) => Object.entries(content).toSorted(([a], [b]) => a.localeCompare(b));
const haveSameTerms = (a: object, b: object) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

type AgreementFile = SigningOffer['file'];

/**
 * Remembers that a file was shown. Returns the file that the link shows from now on: an earlier one, if it was made of
 * the same terms at the same time. Returns undefined if the link has stopped working. A job of the same transaction
 * removes the file that nobody needs any more. Files that were signed stay.
 */
async function recordAgreement(
  tx: Tx,
  queue: SigningDeps['queue'],
  token: SigningToken,
  { agreement, stored }: { agreement: ContributionAgreement; stored: AgreementFile },
): Promise<AgreementFile | undefined> {
  const { companyId } = token;
  await lockCompany(tx, companyId);
  const link = await findLink(tx, token);
  const known = link && fileOf(link);
  const shown = link?.agreement ?? null;
  const isSame = shown !== null && haveSameTerms(shown, agreement);
  if (link === undefined || (isSame && known !== undefined)) {
    await queue.enqueueFileRemoval(tx, companyId, [stored.storeKey]);
    return known;
  }
  await sql`update signing_links l set agreement = ${JSON.stringify(agreement)}::jsonb, store_key = ${stored.storeKey},
      sha256 = ${stored.sha256}, size_bytes = ${stored.sizeBytes}
    where ${ofCompany(companyId, 'l')} and l.employee_id = ${link.employeeId}`.execute(tx);
  const isSigned = known && (await findSignature(tx, companyId, link.employeeId, known.sha256)) !== null;
  if (known && !isSigned) await queue.enqueueFileRemoval(tx, companyId, [known.storeKey]);
  return stored;
}

/** Makes the file of an agreement and remembers that it was shown. */
async function storeAgreement(
  { db, queue, documents, renderer }: SigningDeps,
  token: SigningToken,
  agreement: ContributionAgreement,
): Promise<AgreementFile | undefined> {
  const bytes = await renderer.render({ ...agreement, documentId: 0 });
  const { key: storeKey, sha256, sizeBytes } = await documents.put(token.companyId, 'pdf', bytes);
  const stored = { storeKey, sha256, sizeBytes };
  return writeCompany(db, token.companyId, (tx) => recordAgreement(tx, queue, token, { agreement, stored }));
}

async function findSignature(db: Db, companyId: CompanyId, employeeId: number, sha256: Buffer) {
  const { rows } = await sql<Signature>`
    select s.decision, s.decided_at as "decidedAt" from contract_signatures s
    where ${ofCompany(companyId, 's')} and s.employee_id = ${employeeId} and s.sha256 = ${sha256}`.execute(db);
  return rows[0] ?? null;
}

const fileOf = ({ storeKey, sha256, sizeBytes }: FoundLink) =>
  storeKey === null || sha256 === null || sizeBytes === null ? undefined : { storeKey, sha256, sizeBytes };

/** Returns what the link shows, or undefined if it does not work. The file of the agreement exists afterwards. */
export async function openOffer(deps: SigningDeps, token: SigningToken): Promise<SigningOffer | undefined> {
  const { db, clock } = deps;
  const { companyId } = token;
  const link = await findLink(db, token);
  if (link === undefined) return undefined;
  const { employeeId } = link;
  const company = await getCompany(db, companyId);
  const today = todayIn(clock, company.timeZone);
  const employee = (await loadEmployees(db, companyId, [employeeId], today)).get(employeeId);
  if (employee === undefined || employee.isRemoved) return undefined;
  const { contractStatus } = employee.subscription;
  const known = fileOf(link);
  const last = link.agreement;
  const isPending = contractStatus === 'pending';
  const agreement = composeAgreement(company, employeeId, employee, {
    madeOn: today.toString(),
    last,
    ticketPrices: (await loadPrices(db)).tickets,
  });
  // What was decided stays as it was shown, whatever has changed since.
  const isCurrent = known !== undefined && (!isPending || agreement === last);
  const file = isCurrent ? known : await storeAgreement(deps, token, agreement);
  if (file === undefined) return undefined;
  const { planType, contributionCents } = employee.subscription;
  const { firstName, lastName } = employee.profile;
  const { name: companyName, locale, currency } = company;
  const signature = await findSignature(db, companyId, employeeId, file.sha256);
  return {
    ...{ companyName, locale, currency, firstName, lastName, planType, contributionCents, contractStatus },
    signature,
    file,
  };
}

export type SigningOutcome =
  | { kind: 'signed'; signature: Signature }
  /** The link does not work. */
  | { kind: 'unknown' }
  /** The agreement that was shown is not the current one. */
  | { kind: 'changed' }
  | { kind: 'refused'; sentence: string };

/**
 * Records what an employee has decided about the file with this hash, and applies it by the same rules as any other
 * decision. The same decision again, or at the same time, has no further effect: the lock of the company lets the second
 * wait, and it then finds the signature.
 */
async function sign(
  tx: Tx,
  deps: SigningDeps,
  token: SigningToken,
  { decision, sha256 }: { decision: ContractDecision; sha256: Buffer },
): Promise<SigningOutcome> {
  const { companyId } = token;
  await lockCompany(tx, companyId);
  const link = await findLink(tx, token);
  if (link === undefined) return { kind: 'unknown' };
  const file = fileOf(link);
  if (file === undefined || !file.sha256.equals(sha256)) return { kind: 'changed' };
  const { employeeId } = link;
  const earlier = await findSignature(tx, companyId, employeeId, sha256);
  if (earlier !== null) {
    if (earlier.decision === decision) return { kind: 'signed', signature: earlier };
    return { kind: 'refused', sentence: 'You have already decided about this agreement. Ask your HR department.' };
  }
  const { rows } = await sql<{ contractStatus: string | null }>`
    select e.contract_status as "contractStatus" from employees e
    where ${ofCompany(companyId, 'e')} and e.id = ${employeeId}`.execute(tx);
  if (rows[0]?.contractStatus !== 'pending') {
    return { kind: 'refused', sentence: 'This agreement has already been decided. Ask your HR department.' };
  }
  const signedBy: Actor = { type: 'employee', name: null };
  const { timeZone } = await getCompany(tx, companyId);
  const consent = { given: 'electronically', on: todayIn(deps.clock, timeZone) } as const;
  const outcome = await applyDecision(tx, deps, companyId, { employeeId, decision, actor: signedBy, consent });
  if (outcome.kind === 'unknown-employee') return { kind: 'unknown' };
  if (outcome.kind === 'refused') return { kind: 'refused', sentence: outcome.refusal.sentence };
  const now = deps.clock.now();
  const decidedAt = now.toString();
  await tx
    .insertInto('contract_signatures')
    .values({
      company_id: companyId,
      employee_id: employeeId,
      sha256,
      decision,
      decided_at: decidedAt,
      store_key: file.storeKey,
      size_bytes: file.sizeBytes,
    })
    .execute();
  const detail = { decision, documentSha256: sha256.toString('hex') };
  const entry = { actor: signedBy, action: 'employee.sign-contract', target: String(employeeId), detail, at: now };
  await insertAudit(tx, companyId, entry);
  return { kind: 'signed', signature: { decision, decidedAt } };
}

export const signContract = (
  deps: SigningDeps,
  token: SigningToken,
  signed: { decision: ContractDecision; sha256: Buffer },
): Promise<SigningOutcome> => writeCompany(deps.db, token.companyId, (tx) => sign(tx, deps, token, signed));
