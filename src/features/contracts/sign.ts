import { sql } from 'kysely';
import type { Actor } from '../../domain/actor.ts';
import type { EmployeeState } from '../../domain/employee.ts';
import type { ContractDecision } from '../../domain/enums.ts';
import { moneyFormat } from '../../domain/money.ts';
import { offeredPlan } from '../../domain/subscription/plan-change.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import { type CompanyToken, parseToken } from '../../platform/crypto/company-token.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import { loadPrices } from '../billing/prices.ts';
import type { TicketPrice } from '../billing/rules/charges.ts';
import { type Company, getCompany, lockCompany } from '../companies/companies.ts';
import { findLogo } from '../companies/logo.ts';
import type { DailyRunDeps } from '../daily-run/run.ts';
import { contentOf } from '../documents/content-of.ts';
import type { DocumentStore } from '../documents/files.ts';
import type { ContributionAgreement } from '../documents/pdf/content.ts';
import type { Renderer } from '../documents/pdf/renderer.ts';
import { loadEmployees } from '../employees/load.ts';
import { applyDecision } from '../subscriptions/apply-decision.ts';
import type { SigningOffer } from './contract.ts';
import { type FoundLink, findLink, recordOpening } from './links.ts';

export interface SigningDeps extends DailyRunDeps {
  db: Db;
  clock: Clock;
  documents: Pick<DocumentStore, 'put'>;
  renderer: Pick<Renderer, 'render'>;
}

export interface AgreementFile {
  storeKey: string;
  sha256: Buffer;
  sizeBytes: number;
}

const noLink = () =>
  new ApiError(
    'not-found',
    'This link does not exist, has expired or was replaced by a new one. Ask your HR department for a new link.',
  );

const readToken = (text: string): CompanyToken => {
  const token = parseToken(text);
  if (token === undefined) throw noLink();
  return token;
};

/** Returns the agreement as it would be signed now. Keeps the date of an earlier one with the same terms. */
export function composeAgreement(
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
export const haveSameTerms = (a: object, b: object) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/**
 * Remembers that a file was shown. Returns the file that the link shows from now on: an earlier one, if it was made of
 * the same terms at the same time. Returns undefined if the link has stopped working. A job of the same transaction
 * removes the file that nobody needs any more. Files that were signed stay.
 */
async function recordAgreement(
  tx: Tx,
  queue: SigningDeps['queue'],
  token: CompanyToken,
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
  token: CompanyToken,
  agreement: ContributionAgreement,
): Promise<AgreementFile | undefined> {
  const bytes = await renderer.render({ ...agreement, documentId: 0, logo: await findLogo(db, token.companyId) });
  const { key: storeKey, sha256, sizeBytes } = await documents.put(token.companyId, 'pdf', bytes);
  const stored = { storeKey, sha256, sizeBytes };
  return writeCompany(db, token.companyId, (tx) => recordAgreement(tx, queue, token, { agreement, stored }));
}

export async function findSignature(db: Db, companyId: CompanyId, employeeId: number, sha256: Buffer) {
  const { rows } = await sql<{ decision: ContractDecision; decidedAt: string }>`
    select s.decision, s.decided_at as "decidedAt" from contract_signatures s
    where ${ofCompany(companyId, 's')} and s.employee_id = ${employeeId} and s.sha256 = ${sha256}`.execute(db);
  return rows[0] ?? null;
}

const fileOf = ({ storeKey, sha256, sizeBytes }: FoundLink) =>
  storeKey === null || sha256 === null || sizeBytes === null ? undefined : { storeKey, sha256, sizeBytes };

/** Returns the agreement that an employee is to sign, as PDF. Throws if there is none. */
export async function previewAgreement(
  { db, clock, renderer }: Pick<SigningDeps, 'db' | 'clock' | 'renderer'>,
  companyId: CompanyId,
  employeeId: number,
): Promise<Buffer> {
  const company = await getCompany(db, companyId);
  const today = todayIn(clock, company.timeZone);
  const employee = (await loadEmployees(db, companyId, [employeeId], today)).get(employeeId);
  if (employee?.subscription.contractStatus !== 'pending' || employee.isRemoved) throw notFound('open agreement');
  const ticketPrices = (await loadPrices(db)).tickets;
  const offered = { madeOn: today.toString(), last: null, ticketPrices };
  const logo = await findLogo(db, companyId);
  return renderer.render({ ...composeAgreement(company, employeeId, employee, offered), documentId: 0, logo });
}

/** Returns what the link shows, and the file of the agreement, which exists afterwards. */
export async function openOffer(
  deps: SigningDeps,
  text: string,
): Promise<{ offer: SigningOffer; file: AgreementFile }> {
  const { db, clock } = deps;
  const token = readToken(text);
  const { companyId } = token;
  const link = await findLink(db, token);
  if (link === undefined) throw noLink();
  const { employeeId, agreement: last } = link;
  if (!link.isOpened) await writeCompany(db, companyId, (tx) => recordOpening(tx, companyId, employeeId));
  const company = await getCompany(db, companyId);
  const today = todayIn(clock, company.timeZone);
  const employee = (await loadEmployees(db, companyId, [employeeId], today)).get(employeeId);
  if (employee === undefined || employee.isRemoved) throw noLink();
  const { contractStatus } = employee.subscription;
  const { planType, contributionCents } = offeredPlan(employee.subscription);
  const known = fileOf(link);
  const ticketPrices = (await loadPrices(db)).tickets;
  const agreement = composeAgreement(company, employeeId, employee, { madeOn: today.toString(), last, ticketPrices });
  // What was decided stays as it was shown, whatever has changed since.
  const isCurrent = contractStatus !== 'pending' || agreement === last;
  const file = known && isCurrent ? known : await storeAgreement(deps, token, agreement);
  if (file === undefined) throw noLink();
  const signature = await findSignature(db, companyId, employeeId, file.sha256);
  const isFixed = planType === 'split-pay-plan' && contributionCents !== null;
  const format = moneyFormat(company.locale, company.currency);
  const offer = {
    companyName: company.name,
    firstName: employee.profile.firstName,
    lastName: employee.profile.lastName,
    planType,
    monthlyAmount: isFixed ? { label: format(contributionCents), value: contributionCents } : null,
    contractStatus,
    signature: signature && { ...signature, decidedAt: presentTimestamp(signature.decidedAt) },
    documentSha256: file.sha256.toString('hex'),
  };
  return { offer, file };
}

export const agreementHasChanged = () =>
  new ApiError('confirmation-mismatch', 'The agreement has changed since you opened it. Read it again.');
const refuse = (sentence: string) => new ApiError('decision-refused', sentence);

/**
 * Records what an employee has decided about the file with this hash, and applies it by the same rules as any other
 * decision. The same decision again, or at the same time, has no further effect: the lock of the company lets the second
 * wait, and it then finds the signature.
 */
async function sign(
  tx: Tx,
  deps: SigningDeps,
  token: CompanyToken,
  { decision, sha256 }: { decision: ContractDecision; sha256: Buffer },
): Promise<void> {
  const { companyId } = token;
  await lockCompany(tx, companyId);
  const link = await findLink(tx, token);
  if (link === undefined) throw noLink();
  const file = fileOf(link);
  if (file === undefined || !file.sha256.equals(sha256)) throw agreementHasChanged();
  const { employeeId } = link;
  const earlier = await findSignature(tx, companyId, employeeId, sha256);
  if (earlier?.decision === decision) return;
  if (earlier !== null) throw refuse('You have already decided about this agreement. Ask your HR department.');
  if (!(await isPending(tx, companyId, employeeId)))
    throw refuse('This agreement has already been decided. Ask your HR department.');
  const { agreementParagraph } = await getCompany(tx, companyId);
  const { paragraph = null } = link.agreement as ContributionAgreement;
  if (paragraph !== agreementParagraph) throw agreementHasChanged();
  await applySignature(tx, deps, companyId, { employeeId, decision, file, actor: { type: 'employee', name: null } });
}

export async function isPending(tx: Tx, companyId: CompanyId, employeeId: number): Promise<boolean> {
  const { rows } = await sql`
    select from employees e
    where ${ofCompany(companyId, 'e')} and e.id = ${employeeId} and e.contract_status = 'pending'`.execute(tx);
  return rows.length > 0;
}

interface Signature {
  employeeId: number;
  decision: ContractDecision;
  file: AgreementFile;
  actor: Actor;
}

/** Applies what an employee has decided about a pending agreement, and stores the file that they saw. */
export async function applySignature(
  tx: Tx,
  deps: DailyRunDeps,
  companyId: CompanyId,
  signature: Signature,
): Promise<void> {
  const { employeeId, decision, actor } = signature;
  const { timeZone } = await getCompany(tx, companyId);
  const consent = { given: 'electronically', on: todayIn(deps.clock, timeZone) } as const;
  const outcome = await applyDecision(tx, deps, companyId, { employeeId, decision, actor, consent });
  if (outcome.kind === 'unknown-employee') throw notFound('employee');
  if (outcome.kind === 'refused') throw refuse(outcome.refusal.sentence);
  await insertSignature(tx, deps.queue, companyId, { ...signature, at: deps.clock.now() });
}

/** Stores which file an employee has decided about. Another decision about the same file replaces the former one. */
export async function insertSignature(
  tx: Tx,
  queue: DailyRunDeps['queue'],
  companyId: CompanyId,
  { employeeId, decision, file, actor, at }: Signature & { at: Temporal.Instant },
): Promise<void> {
  const { sha256, storeKey, sizeBytes } = file;
  const decided = { decision, decided_at: at.toString() };
  const kept = await tx
    .insertInto('contract_signatures')
    .values({
      ...{ company_id: companyId, employee_id: employeeId, sha256, ...decided },
      ...{ store_key: storeKey, size_bytes: sizeBytes },
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'employee_id', 'sha256']).doUpdateSet(decided))
    .returning('store_key')
    .executeTakeFirstOrThrow();
  if (kept.store_key !== storeKey) await queue.enqueueFileRemoval(tx, companyId, [storeKey]);
  const detail = { decision, documentSha256: sha256.toString('hex') };
  await insertAudit(tx, companyId, { actor, action: 'employee.sign-contract', target: String(employeeId), detail, at });
}

export function signContract(
  deps: SigningDeps,
  text: string,
  signed: { decision: ContractDecision; sha256: Buffer },
): Promise<void> {
  const token = readToken(text);
  return writeCompany(deps.db, token.companyId, (tx) => sign(tx, deps, token, signed));
}
