import { randomBytes } from 'node:crypto';
import type { CompanyId } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { insertEmployees, type NewEmployee } from '../employees/insert.ts';
import { batches } from './batches.ts';
import type { Calendar } from './calendar.ts';
import { syncFinished } from './integrations.ts';
import type { Link } from './links.ts';
import type { Person } from './people.ts';
import { ranIn } from './subscriptions.ts';

/** A person as stored. */
export interface Member {
  id: number;
  person: Person;
  links: Link[];
}

const dateText = (date: Temporal.PlainDate | null) => date?.toString() ?? null;

/** On the first of a month by the daily run, on any other day by the sync that they were absent from. */
export const removedAt = ({ removedOn }: Person, calendar: Calendar) =>
  removedOn && calendar.at(removedOn, removedOn.day === 1 ? '00:05' : syncFinished);

function toEmployee(person: Person, calendar: Calendar): NewEmployee {
  const { dates } = person;
  return {
    first_name: person.firstName,
    last_name: person.lastName,
    email: person.email,
    date_of_birth: dateText(person.dateOfBirth),
    profile_image: person.profileImage,
    employed_from: dateText(person.employedFrom),
    terminated_on: dateText(dates.terminatedOn),
    auto_subscribe: person.autoSubscribe,
    subscription_status: person.status,
    start_on: dateText(dates.startOn),
    next_ticket_on: dateText(dates.nextTicketOn),
    paused_on: dateText(dates.pausedOn),
    cancelled_on: dateText(dates.cancelledOn),
    reactivated_on: dateText(dates.reactivatedOn),
    plan_type: person.planType,
    contract_status: person.contract,
    contribution_cents: person.contributionCents,
    created_at: person.createdAt,
    updated_at: person.updatedAt,
    removed_at: removedAt(person, calendar),
  };
}

export async function insertMembers(
  tx: Tx,
  companyId: CompanyId,
  calendar: Calendar,
  people: Person[],
  linksOf: Map<Person, Link[]>,
): Promise<Member[]> {
  const ids: number[] = [];
  for (const batch of batches(people)) {
    ids.push(
      ...(await insertEmployees(
        tx,
        companyId,
        batch.map((person) => toEmployee(person, calendar)),
      )),
    );
  }
  const members = people.map((person, index) => ({ id: ids[index] ?? 0, person, links: linksOf.get(person) ?? [] }));
  const owned = (id: number) => ({ company_id: companyId, employee_id: id });
  const links = members.flatMap(({ id, links }) => links.map((link) => ({ ...owned(id), ...link })));
  for (const batch of batches(links)) await tx.insertInto('hr_links').values(batch).execute();
  const absences = members.flatMap(({ id, person }) =>
    person.dates.absences.map(({ startsOn, endsOn, approved }) => ({
      ...owned(id),
      starts_on: startsOn.toString(),
      ends_on: dateText(endsOn),
      approved,
    })),
  );
  for (const batch of batches(absences)) await tx.insertInto('absences').values(batch).execute();
  await refreshEmployeeCounts(tx, companyId);
  return members;
}

export const ticketHoldersIn = (members: Member[], month: Temporal.PlainDate) =>
  members.filter(({ person }) => ranIn(person.dates, month));

export const ticketIdOf = (id: number, month: Temporal.PlainDate) =>
  `DT-${month.toString().slice(0, 7).replace('-', '')}-${String(id).padStart(6, '0')}`;

export async function insertTickets(
  tx: Tx,
  companyId: CompanyId,
  calendar: Calendar,
  members: Member[],
): Promise<void> {
  const tickets = calendar.months.flatMap((month) =>
    ticketHoldersIn(members, month).map(({ id, person }) => ({
      plan_type: person.planType,
      contribution_cents: person.contributionCents,
      company_id: companyId,
      employee_id: id,
      month: month.toString(),
      ticket_id: ticketIdOf(id, month),
      valid_from: month.toString(),
      valid_until: month.add({ months: 1 }).subtract({ days: 1 }).toString(),
      // Whoever knows it has the ticket, so it is truly random even here.
      wallet_token: randomBytes(32).toString('base64url'),
      issued_at: calendar.at(month, '00:05'),
    })),
  );
  for (const batch of batches(tickets)) await tx.insertInto('tickets').values(batch).execute();
}
