import { service } from '../../domain/actor.ts';
import type { EmployeeState } from '../../domain/employee.ts';
import type { NoAnswerRule } from '../../domain/enums.ts';
import type { Tx } from '../../platform/db/database.ts';
import { insertAudit } from '../activity/record.ts';
import type { Company } from '../companies/companies.ts';
import type { EmployeeMails, NewEmployeeMail } from '../employee-mails/queue.ts';
import { countDueReminders, noAnswerEffect } from './rules/change.ts';
import { listOpenChanges, type PlanChange } from './store.ts';
import { takeReminders } from './store-items.ts';

/** What mails about a change say besides the amounts. */
export interface MailedChange {
  id: number;
  from: Temporal.PlainDate;
  deadline: Temporal.PlainDate | null;
  noAnswer: NoAnswerRule;
}

const dayOrNull = (text: string | null) => (text === null ? null : Temporal.PlainDate.from(text));

export const toMailedChange = ({ id, from, deadline, noAnswer }: PlanChange): MailedChange => ({
  ...{ id, from: Temporal.PlainDate.from(from), deadline: dayOrNull(deadline), noAnswer },
});

interface Asked {
  employeeId: number;
  beforeCents: number;
  afterCents: number;
}

type AskKind = 'agreement' | 'agreement-reminder';

const month = (day: Temporal.PlainDate) => day.toString().slice(0, 7);

/** Asks employees whether they agree to a higher share, and says what happens without an answer. */
export function askForAgreement(
  tx: Tx,
  { company, employeeMails }: { company: Company; employeeMails: EmployeeMails },
  { kind, occasion, change }: { kind: AskKind; occasion: string; change: MailedChange },
  asked: readonly Asked[],
): Promise<number> {
  const { from, deadline, noAnswer } = change;
  // Every change that needs an agreement has a deadline.
  const acceptUntil = deadline ?? from.subtract({ days: 1 });
  const effect = noAnswerEffect(acceptUntil, { from, cutOffDay: company.cutOffDay });
  const common = { from: month(from), acceptUntil: acceptUntil.toString(), noAnswer, noAnswerFrom: month(effect) };
  const mails = asked.map(
    ({ employeeId, beforeCents, afterCents }): NewEmployeeMail<AskKind> => ({
      ...{ employeeId, kind, occasion },
      values: { ...common, oldCents: beforeCents, employeeCents: afterCents },
    }),
  );
  return employeeMails.queue(tx, company.id, mails);
}

interface Proposed extends Asked {
  employee: EmployeeState;
  needsAgreement: boolean;
}

/**
 * Writes to the employees of a change: those who must agree are asked, to the others it is announced. Who has not signed the
 * first agreement yet finds the new share in it.
 */
export async function writeToAffected(
  tx: Tx,
  parties: { company: Company; employeeMails: EmployeeMails },
  change: MailedChange,
  proposed: readonly Proposed[],
): Promise<void> {
  const offered = proposed.filter(({ employee }) => employee.subscription.nextPlan?.changeId === change.id);
  const occasion = String(change.id);
  const asked = offered.filter(({ needsAgreement }) => needsAgreement);
  await askForAgreement(tx, parties, { kind: 'agreement', occasion, change }, asked);
  const announced = offered
    .filter(({ needsAgreement }) => !needsAgreement)
    .map(({ employeeId, beforeCents, afterCents }) => ({
      ...{ employeeId, kind: 'plan-changed' as const, occasion },
      values: { from: month(change.from), oldCents: beforeCents, employeeCents: afterCents },
    }));
  await parties.employeeMails.queue(tx, parties.company.id, announced);
}

/** Returns the day on which a change was begun, where the company is. */
export const startedOn = ({ createdAt }: PlanChange, { timeZone }: Pick<Company, 'timeZone'>) =>
  Temporal.Instant.from(createdAt).toZonedDateTimeISO(timeZone).toPlainDate();

/**
 * Reminds those who have not decided, some days before the deadline. The number of reminders of each employee lets each one
 * happen once; those of missed days are sent as one.
 */
export async function remindBeforeDeadlines(
  tx: Tx,
  parties: { company: Company; employeeMails: EmployeeMails },
  { today, now }: { today: Temporal.PlainDate; now: Temporal.Instant },
): Promise<void> {
  const { company } = parties;
  for (const stored of await listOpenChanges(tx, company.id)) {
    const change = toMailedChange(stored);
    if (stored.isSettled || change.deadline === null) continue;
    const count = countDueReminders(change.deadline, startedOn(stored, company), today);
    if (count === 0) continue;
    const reminded = await takeReminders(tx, company.id, { changeId: change.id, today, count });
    if (reminded.length === 0) continue;
    const occasion = `${change.id}/reminder-${count}`;
    await askForAgreement(tx, parties, { kind: 'agreement-reminder', occasion, change }, reminded);
    await insertAudit(tx, company.id, {
      ...{ actor: service, action: 'policy.remind', target: String(stored.policyId), at: now },
      detail: { employees: reminded.length },
    });
  }
}
