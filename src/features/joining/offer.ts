import { isBefore } from '../../domain/calendar.ts';
import { planRequestFor } from '../../domain/employee.ts';
import { canJoin, isUnsubscribed } from '../../domain/subscription/subscription.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import { type CompanyToken, hashSecret, parseToken } from '../../platform/crypto/company-token.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Links } from '../../platform/http/links.ts';
import { viewFor } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import { type Company, findCompany } from '../companies/companies.ts';
import { findLogo } from '../companies/logo.ts';
import { loadEmployees } from '../employees/load.ts';
import { loadOffers } from './invite.ts';
import type { Offer } from './my-contract.ts';
import { lastDayOf } from './rules/invitation.ts';
import { type FoundInvitation, findByToken, recordDecline, recordOpening } from './store.ts';

interface OfferDeps {
  db: Db;
  clock: Clock;
  links: Links;
}

interface OpenInvitation {
  company: Company;
  today: Temporal.PlainDate;
  invitation: FoundInvitation;
}

/** Finds the invitation of a link that still works. Throws if there is none, whatever the reason is. */
async function findInvitation(db: Db | Tx, clock: Clock, { companyId, secret }: CompanyToken): Promise<OpenInvitation> {
  const company = await findCompany(db as Db, companyId);
  const invitation = await findByToken(db, companyId, hashSecret(secret));
  if (company === undefined || invitation === undefined) throw notFound('invitation that this link opens');
  const today = todayIn(clock, company.timeZone);
  if (isBefore(lastDayOf(Temporal.PlainDate.from(invitation.invitedOn)), today))
    throw notFound('invitation that this link opens');
  return { company, today, invitation };
}

function readToken(text: string): CompanyToken {
  const token = parseToken(text);
  if (token === undefined) throw notFound('invitation that this link opens');
  return token;
}

/** Returns what the link of an invitation shows, and records that it was opened. */
export async function openOffer({ db, clock, links }: OfferDeps, text: string): Promise<Offer> {
  const token = readToken(text);
  const { company, today, invitation } = await findInvitation(db, clock, token);
  const { id: companyId } = company;
  const { employeeId, openedAt } = invitation;
  const employee = (await loadEmployees(db, companyId, [employeeId], today)).get(employeeId);
  if (employee === undefined) throw notFound('invitation that this link opens');
  if (openedAt === null)
    await writeCompany(db, companyId, (tx) => recordOpening(tx, companyId, employeeId, clock.now()));
  const view = viewFor({ companyId, company }, links);
  const { planType, ticketCents, companyCents, employeeCents } = (await loadOffers(db, company, today))(employee);
  const isSubscribed = !isUnsubscribed(employee.subscription.status);
  const plan = isSubscribed
    ? undefined
    : planRequestFor(employee, { action: 'subscribe', side: 'employee' }, today, company);
  const canSubscribe = plan?.refusal === null && canJoin(company);
  const first = canSubscribe ? plan.employee.subscription.startOn : employee.nextTicketOn;
  const logo = await findLogo(db, companyId);
  return {
    firstName: employee.profile.firstName,
    companyName: company.name,
    logo: logo?.toString('base64') ?? null,
    planType,
    ticketPrice: view.money(ticketCents),
    companyAmount: view.money(companyCents),
    employeeAmount: view.money(employeeCents),
    firstMonth: first?.toString() ?? null,
    state: isSubscribed ? 'joined' : stateOf(canSubscribe, invitation),
    validUntil: lastDayOf(Temporal.PlainDate.from(invitation.invitedOn)).toString(),
  };
}

const stateOf = (canSubscribe: boolean, { hasDeclined }: FoundInvitation) =>
  canSubscribe ? (hasDeclined ? 'declined' : 'open') : 'not-possible';

/** Returns whom the link of an invitation belongs to, who can ask for a link to their page with it. */
export async function findInvited(
  { db, clock }: Omit<OfferDeps, 'links'>,
  text: string,
): Promise<{ companyId: CompanyId; employeeId: number }> {
  const token = readToken(text);
  const { invitation } = await findInvitation(db, clock, token);
  return { companyId: token.companyId, employeeId: invitation.employeeId };
}

/** Records that the employee does not want to join: they are not reminded. The same again has no further effect. */
export async function declineOffer({ db, clock }: Omit<OfferDeps, 'links'>, text: string): Promise<void> {
  const token = readToken(text);
  const { companyId } = token;
  await writeCompany(db, companyId, async (tx) => {
    const { employeeId } = (await findInvitation(tx, clock, token)).invitation;
    const at = clock.now();
    if (!(await recordDecline(tx, companyId, employeeId, at))) return;
    const actor = { type: 'employee', name: String(employeeId) } as const;
    await insertAudit(tx, companyId, { action: 'employee.decline-invitation', target: actor.name, actor, at });
  });
}
