import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Actor } from '../../domain/actor.ts';
import { type EmployeeState, planRequestFor } from '../../domain/employee.ts';
import type { ContractDecision } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { moneyFormat } from '../../domain/money.ts';
import { offeredPlan } from '../../domain/subscription/plan-change.ts';
import { isUnsubscribed, needsContract } from '../../domain/subscription/subscription.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { loadPrices } from '../billing/prices.ts';
import { type Company, getCompany, lockCompany } from '../companies/companies.ts';
import { findLogo } from '../companies/logo.ts';
import type { CompanyContext } from '../context.ts';
import type { DailyRunDeps } from '../daily-run/run.ts';
import { type DocumentStore, openStored } from '../documents/files.ts';
import type { ContributionAgreement } from '../documents/pdf/content.ts';
import type { Renderer } from '../documents/pdf/renderer.ts';
import { loadEmployees } from '../employees/load.ts';
import { canSign } from './links.ts';
import type { AgreementDecisionBody, MyAgreement } from './my-contract.ts';
import {
  type AgreementFile,
  agreementHasChanged,
  applySignature,
  composeAgreement,
  findSignature,
  haveSameTerms,
  insertSignature,
  isPending,
} from './sign.ts';

export interface AgreementDeps extends DailyRunDeps {
  db: Db;
  clock: Clock;
  documents: DocumentStore;
  renderer: Pick<Renderer, 'render'>;
}

/** An agreement that is not decided yet, as it would be accepted now. */
interface Offer {
  purpose: 'decide' | 'subscribe';
  content: ContributionAgreement;
}

interface Known {
  company: Company;
  employee: EmployeeState;
  offer: Offer | undefined;
}

/** Returns the subscription that joining would begin, as long as nobody has accepted its agreement. */
function joined(employee: EmployeeState, today: Temporal.PlainDate, company: Company): EmployeeState | undefined {
  const plan = planRequestFor(employee, { action: 'subscribe', side: 'employee' }, today, company);
  const { subscription } = plan.employee;
  if (plan.refusal !== null || !needsContract(subscription.planType)) return undefined;
  return { ...plan.employee, subscription: { ...subscription, contractStatus: 'pending' }, nextTicketOn: null };
}

/** Reads an employee and what is offered to them. Throws if they were removed. */
async function readOffer(db: Db, clock: Clock, companyId: CompanyId, employeeId: number): Promise<Known> {
  const company = await getCompany(db, companyId);
  const today = todayIn(clock, company.timeZone);
  const employee = (await loadEmployees(db, companyId, [employeeId], today)).get(employeeId);
  if (employee === undefined || employee.isRemoved) throw notFound('employee');
  const { status } = employee.subscription;
  const canDecide = canSign(employee.subscription);
  const purpose = canDecide ? 'decide' : 'subscribe';
  const offered = canDecide ? employee : isUnsubscribed(status) ? joined(employee, today, company) : undefined;
  if (offered === undefined) return { company, employee, offer: undefined };
  const ticketPrices = (await loadPrices(db)).tickets;
  const content = composeAgreement(company, employeeId, offered, {
    madeOn: today.toString(),
    last: null,
    ticketPrices,
  });
  return { company, employee, offer: { purpose, content } };
}

/** Renders an offer. The same offer always has the same bytes, so it is stored only when it is accepted or rejected. */
async function render({ db, renderer }: AgreementDeps, companyId: CompanyId, { content }: Offer) {
  const bytes = await renderer.render({ ...content, documentId: 0, logo: await findLogo(db, companyId) });
  return { bytes, sha256: createHash('sha256').update(bytes).digest() };
}

interface SignedFile extends AgreementFile {
  decision: ContractDecision;
  decidedAt: string;
}

/** Returns the file that an employee has decided about most recently. */
async function findDecided(db: Db, companyId: CompanyId, employeeId: number): Promise<SignedFile | undefined> {
  const { rows } = await sql<SignedFile>`
    select s.store_key as "storeKey", s.sha256, s.size_bytes as "sizeBytes", s.decision, s.decided_at as "decidedAt"
    from contract_signatures s where ${ofCompany(companyId, 's')} and s.employee_id = ${employeeId}
    order by s.decided_at desc limit 1`.execute(db);
  return rows[0];
}

interface OpenedAgreement {
  agreement: MyAgreement;
  sizeBytes: number;
  read(log: FastifyBaseLogger): Promise<Readable>;
}

/**
 * Returns the agreement that an employee is to decide about, that joining would accept, or that they have decided about
 * here. Throws if there is none.
 */
export async function openAgreement(
  deps: AgreementDeps,
  { companyId, employeeId }: { companyId: CompanyId; employeeId: number },
): Promise<OpenedAgreement> {
  const { db, clock, documents } = deps;
  const { company, employee, offer } = await readOffer(db, clock, companyId, employeeId);
  const format = moneyFormat(company.locale, company.currency);
  const { contractStatus: status } = employee.subscription;
  const { planType, contributionCents } = offer?.content ?? offeredPlan(employee.subscription);
  const isFixed = planType === 'split-pay-plan' && contributionCents !== null;
  const common = {
    status,
    planType,
    monthlyAmount: isFixed ? { label: format(contributionCents), value: contributionCents } : null,
  };
  if (offer !== undefined) {
    const { bytes, sha256 } = await render(deps, companyId, offer);
    // Whoever has rejected it may join with the same terms on the same day.
    const decided = await findSignature(db, companyId, employeeId, sha256);
    const decision = decided && { ...decided, decidedAt: presentTimestamp(decided.decidedAt) };
    return {
      agreement: { ...common, purpose: offer.purpose, decision, sha256: sha256.toString('hex') },
      sizeBytes: bytes.length,
      read: async () => Readable.from([bytes]),
    };
  }
  const signed = status === null ? undefined : await findDecided(db, companyId, employeeId);
  if (signed === undefined) throw notFound('agreement');
  const { decision, decidedAt, storeKey: key, sizeBytes, sha256 } = signed;
  return {
    agreement: {
      ...{ ...common, purpose: 'decided', sha256: sha256.toString('hex') },
      decision: { decision, decidedAt: presentTimestamp(decidedAt) },
    },
    sizeBytes,
    read: (log) => openStored(documents, { key, sizeBytes }, log),
  };
}

/** Who decides about which file. */
interface Reader {
  companyId: CompanyId;
  employeeId: number;
  sha256: string;
  actor: Actor;
}

/** Throws if what is offered within the transaction is not what was shown. */
async function assertUnchanged(tx: Tx, clock: Clock, reader: Reader, shown: Offer): Promise<void> {
  const { offer } = await readOffer(tx, clock, reader.companyId, reader.employeeId);
  if (offer?.purpose !== shown.purpose || !haveSameTerms(offer.content, shown.content)) throw agreementHasChanged();
}

/** Stores the file of an offer while `work` signs it. It is removed again if `work` fails. */
async function withFile<T>(
  deps: AgreementDeps,
  { companyId, sha256 }: Reader,
  offer: Offer,
  work: (file: AgreementFile) => Promise<T>,
): Promise<T> {
  const rendered = await render(deps, companyId, offer);
  if (rendered.sha256.toString('hex') !== sha256) throw agreementHasChanged();
  const { key: storeKey, ...stored } = await deps.documents.put(companyId, 'pdf', rendered.bytes);
  try {
    return await work({ storeKey, ...stored });
  } catch (error) {
    await deps.documents.remove(storeKey);
    throw error;
  }
}

/** Accepts or rejects the agreement that was shown. The same decision again has no further effect. */
export async function decideAgreement(
  { companyId, by, write }: Pick<CompanyContext, 'companyId' | 'by' | 'write'>,
  deps: AgreementDeps,
  { employeeId, decision, sha256 }: AgreementDecisionBody & { employeeId: number },
): Promise<void> {
  const reader: Reader = { companyId, employeeId, sha256, actor: by.actor };
  const { offer } = await readOffer(deps.db, deps.clock, companyId, employeeId);
  if (offer?.purpose !== 'decide') {
    const earlier = await findSignature(deps.db, companyId, employeeId, Buffer.from(sha256, 'hex'));
    if (earlier?.decision === decision) return;
    throw new ApiError('decision-refused', createMessage('agreement-not-open'));
  }
  await withFile(deps, reader, offer, (file) =>
    write(async (tx) => {
      await lockCompany(tx, companyId);
      const earlier = await findSignature(tx, companyId, employeeId, file.sha256);
      if (earlier?.decision === decision && !(await isPending(tx, companyId, employeeId))) {
        await deps.queue.enqueueFileRemoval(tx, companyId, [file.storeKey]);
        return;
      }
      await assertUnchanged(tx, deps.clock, reader, offer);
      await applySignature(tx, deps, companyId, { employeeId, decision, file, actor: by.actor });
    }),
  );
}

/**
 * Lets `join` subscribe an employee who accepts the agreement that they were shown in the same transaction. `accept` is
 * to be called before the subscription changes.
 */
export async function joinWithAgreement<T>(
  deps: AgreementDeps,
  reader: Reader,
  join: (accept: (tx: Tx) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { companyId, employeeId, actor } = reader;
  const { offer } = await readOffer(deps.db, deps.clock, companyId, employeeId);
  if (offer?.purpose !== 'subscribe') throw agreementHasChanged();
  return withFile(deps, reader, offer, (file) =>
    join(async (tx) => {
      await lockCompany(tx, companyId);
      await assertUnchanged(tx, deps.clock, reader, offer);
      const signature = { employeeId, decision: 'contract-accepted', file, actor } as const;
      await insertSignature(tx, deps.queue, companyId, { ...signature, at: deps.clock.now() });
    }),
  );
}
