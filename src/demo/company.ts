import { insertKey, type NewKey } from '../auth/keys.ts';
import { insertBillingItems } from '../billing/insert.ts';
import { insertCompany } from '../companies.ts';
import type { Tx } from '../db/database.ts';
import { type Environment, permissions } from '../domain/vocabulary.ts';
import type { DocumentStore } from '../employee-documents/store.ts';
import { batches } from './batches.ts';
import { createCalendar } from './calendar.ts';
import { chargesOf } from './charges.ts';
import { insertDocuments } from './documents.ts';
import { insertIntegrations } from './integrations.ts';
import { companyName } from './letters.ts';
import { createLinks } from './links.ts';
import { insertMembers, insertTickets, ticketHoldersIn } from './members.ts';
import { createCrowd } from './people.ts';
import { createRandom } from './random.ts';

const seed = 20_230_501;

/** The whole company with the year behind it. The same day always gives the same company, but for secrets. */
export async function insertDemoCompany(
  tx: Tx,
  environment: Environment,
  store: Pick<DocumentStore, 'put'>,
  now: Temporal.Instant,
): Promise<NewKey> {
  const calendar = createCalendar(now);
  const random = createRandom(seed);
  const companyId = await insertCompany(
    tx,
    { name: companyName, planType: 'split-pay-plan', contributionCents: 2000 },
    now,
  );
  const joinedAt = calendar.at(calendar.joined, '09:00');
  await tx
    .updateTable('companies')
    .set({ created_at: joinedAt, updated_at: joinedAt })
    .where('id', '=', companyId)
    .execute();
  const key = await insertKey(tx, environment, companyId, { name: 'Demo', permissions });
  const integrations = await insertIntegrations(tx, companyId, calendar, key.username);
  const people = createCrowd(random, calendar);
  const links = createLinks(random, calendar, people, integrations);
  const members = await insertMembers(tx, companyId, calendar, people, links);
  await insertTickets(tx, companyId, calendar, members);
  const charges = calendar.months.flatMap((month) =>
    chargesOf(month, calendar, ticketHoldersIn(members, month), members, Object.values(integrations)),
  );
  for (const batch of batches(charges)) await insertBillingItems(tx, companyId, batch);
  await insertDocuments(tx, companyId, calendar, members, store);
  return key;
}
