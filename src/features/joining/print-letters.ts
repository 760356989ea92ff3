import { firstOfNextMonth } from '../../domain/calendar.ts';
import { nextOf } from '../../domain/chunks.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type Company, getCompany, lockCompany } from '../companies/companies.ts';
import { findLogo } from '../companies/logo.ts';
import type { Renderer } from '../documents/pdf/renderer.ts';
import { createLetterCodes } from '../employee-access/letters.ts';
import { loadEmployees } from '../employees/load.ts';
import { mailLanguageOf } from '../notices/texts.ts';
import { composeLetters, type Recipient } from './compose-letters.ts';
import { maxLetters, type PrintBody, type Printed } from './contract.ts';
import { assertCanJoin, loadOffers } from './invite.ts';
import type { ManageContext } from './manage.ts';
import { choiceOf, selectIds } from './preview.ts';
import { type Choice, planLetter } from './rules/invitation.ts';
import { findInvitations, listLanguages, recordLetters, upsertInvitations } from './store.ts';

interface PrintDeps {
  config: Pick<Config, 'publicUrl'>;
  renderer: Pick<Renderer, 'renderLetters'>;
}

interface Situation {
  company: Company;
  today: Temporal.PlainDate;
  choice: Choice;
}

/** Returns those of the employees who can join by a letter, in the order of their ids. */
async function listPossible(db: Db, { company, today, choice }: Situation, ids: readonly number[]): Promise<number[]> {
  const employees = await loadEmployees(db, company.id, ids, today);
  const invitations = await findInvitations(db, company.id, ids);
  return [...employees]
    .filter(
      ([id, employee]) => planLetter(employee, invitations.get(id), { today, choice, settings: company }) !== null,
    )
    .map(([id]) => id)
    .sort((a, b) => a - b);
}

/** Creates the codes of the letters, and an invitation for everybody whose earlier one does not hold any more. */
async function writeLetters(
  tx: Tx,
  { by }: Pick<ManageContext, 'by'>,
  { company, today, choice }: Situation,
  ids: readonly number[],
): Promise<Recipient[]> {
  const { id: companyId } = company;
  const employees = await loadEmployees(tx as Db, companyId, ids, today);
  const invitations = await findInvitations(tx, companyId, ids);
  const languages = await listLanguages(tx, companyId, ids);
  const offerTo = await loadOffers(tx, company, today);
  const planned = new Map(
    [...employees].flatMap(([id, employee]) => {
      const plan = planLetter(employee, invitations.get(id), { today, choice, settings: company });
      return plan === null ? [] : [[id, { ...plan, profile: employee.profile, offer: offerTo(employee) }] as const];
    }),
  );
  const { actor, at: now } = by;
  const codes = await createLetterCodes(tx, companyId, [...planned.keys()], { actor, at: now });
  const written = codes.map(({ employeeId }) => employeeId);
  const uninvited = written.filter((id) => planned.get(id)?.needsInvitation);
  await upsertInvitations(tx, companyId, uninvited, { now, today, isRepeatable: true });
  await recordLetters(tx, companyId, written, now);
  return codes.flatMap(({ employeeId, ...code }) => {
    const plan = planned.get(employeeId);
    if (plan === undefined) return [];
    const { firstName, lastName, email } = plan.profile;
    const language = languages.get(employeeId) ?? mailLanguageOf(company);
    const firstMonth = plan.firstMonth ?? firstOfNextMonth(today);
    const { companyCents, employeeCents } = plan.offer;
    const person = { firstName, lastName, email, language };
    return [{ employeeId, ...code, ...person, firstMonth, companyCents, employeeCents }];
  });
}

/**
 * Prints letters with which employees join who read no mail at work. Each has a new code: an earlier letter stops working.
 * Returns one file of at most 250 letters, and where to continue.
 */
export async function printInvitations(
  context: ManageContext,
  { config, renderer }: PrintDeps,
  { after, ...selection }: PrintBody,
): Promise<Printed> {
  const { db, companyId, by, write } = context;
  const company = await getCompany(db, companyId);
  assertCanJoin(company);
  const today = todayIn({ now: () => by.at }, company.timeZone);
  const situation: Situation = { company, today, choice: choiceOf(selection) };
  const selected = await selectIds(db, companyId, selection);
  const possible = await listPossible(db, situation, selected);
  const { ids, ...rest } = nextOf(possible, { after, limit: maxLetters });
  const recipients = await write(async (tx) => {
    await lockCompany(tx, companyId);
    return writeLetters(tx, context, situation, ids);
  });
  const logo = await findLogo(db, companyId);
  const letters = composeLetters(recipients, { company, publicUrl: config.publicUrl, today, logo });
  const file = recipients.length === 0 ? null : await renderer.renderLetters(letters);
  return {
    created: recipients.length,
    skipped: selected.length - possible.length,
    ...rest,
    file: file?.toString('base64') ?? null,
  };
}
