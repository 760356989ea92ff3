import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { isBefore, isSameDay } from '../../domain/calendar.ts';
import { type Environment, permissions } from '../../domain/enums.ts';
import { insertUser } from '../../features/accounts/users/insert-user.ts';
import { updateSettings } from '../../features/companies/change-settings.ts';
import { getCompany, insertCompany } from '../../features/companies/companies.ts';
import type { Seller } from '../../features/companies/rules/parties.ts';
import { type DailyRunDeps, lockAndCatchUp } from '../../features/daily-run/run.ts';
import type { DocumentStore } from '../../features/documents/files.ts';
import { insertTicketConfirmations } from '../../features/documents/insert.ts';
import { noEmployeeMails } from '../../features/employee-mails/queue.ts';
import { expireEvents } from '../../features/events/expire.ts';
import { findSeller, insertSeller } from '../../features/invoices/seller.ts';
import { insertKey, type NewKey } from '../../features/keys/keys.ts';
import { noNotices } from '../../features/notices/notices.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Encryption } from '../../platform/crypto/encryption.ts';
import type { Tx } from '../../platform/db/database.ts';
import { countChange } from '../../platform/db/write.ts';
import type { DemoAccess, DemoLogin } from './access-file.ts';
import { createActions, inOrder } from './actions.ts';
import { type Calendar, createCalendar, createDemoClock, type DemoClock, offerOn } from './calendar.ts';
import {
  type Action,
  type DemoContext,
  type DemoHrSystem,
  demoUserId,
  demoUserName,
  type Place,
  startDemoHrSystem,
} from './context.ts';
import { addDocuments } from './documents.ts';
import { addComingPrice } from './policies.ts';
import { createPopulation } from './population.ts';
import { createRandom } from './random.ts';
import { addRequests } from './requests.ts';
import { rostersOf, setUps } from './rosters.ts';

/** An operator that does not exist. The numbers are those that documentation uses. */
const demoSeller: Seller = {
  name: 'Transit Benefits GmbH',
  street: 'Lindenstraße 12',
  postCode: '10969',
  city: 'Berlin',
  country: 'DE',
  vatId: 'DE123456789',
  taxNumber: '37/123/45678',
  email: 'rechnungen@transit-benefits.example',
  phone: '+49 30 1234567',
  contact: 'Team Abrechnung',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  register: 'Amtsgericht Charlottenburg, HRB 123456 B',
  managingDirectors: 'Anna Beispiel, Max Muster',
  paymentDays: 14,
};

const demoBuyer = {
  legalName: 'Musterwerk GmbH',
  street: 'Industriestraße 7',
  postCode: '70565',
  city: 'Stuttgart',
  country: 'DE',
  vatId: 'DE987654321',
  invoiceEmail: 'rechnung@musterwerk.example',
  buyerReference: 'Kostenstelle 4711',
};

/** Enters what invoices need. Keeps the data of an operator who has set their own. */
async function setUpInvoicing({ tx, companyId, deps }: DemoContext): Promise<void> {
  const at = deps.clock.now();
  if ((await findSeller(tx)) === undefined) await insertSeller(tx, demoSeller, at);
  await updateSettings(tx, companyId, demoBuyer, { at });
}

const seed = 20_230_501;
const companyName = 'Musterwerk GmbH';

export interface DemoOptions {
  environment: Environment;
  documents: Pick<DocumentStore, 'put'>;
  queue: DailyRunDeps['queue'];
  clock: Clock;
  encryption: Encryption;
}

/** Creates confirmations of tickets in their month, which dates them, and leaves all files to one job at the end. */
const createDeps = (clock: DemoClock, queue: DailyRunDeps['queue']): DailyRunDeps & { clock: DemoClock } => ({
  clock,
  notices: noNotices,
  employeeMails: noEmployeeMails,
  queue: {
    enqueueFileRemoval: queue.enqueueFileRemoval,
    // Once for the whole year, like the documents.
    enqueueInvoices: async () => {},
    enqueueOrders: async () => {},
    async enqueueDocuments(tx, companyId, month) {
      if (month === null) return;
      const company = await getCompany(tx, companyId);
      for (let last: number | undefined = 0; last !== undefined; ) {
        last = await insertTicketConfirmations(tx, company, { month, afterId: last, now: clock.now() });
      }
    },
  },
});

/** Updates statistics, which PostgreSQL does not before the commit. Without them, joins took a fifth of the time. */
async function refreshStatistics(tx: Tx): Promise<void> {
  await sql`analyze employees, hr_links, tickets, billing_items, documents`.execute(tx);
}

/** Processes every day up to today: first the daily run, shortly after midnight, then the actions of the day. */
async function runYear(context: DemoContext, calendar: Calendar, actions: readonly Action[]): Promise<void> {
  const { tx, deps, companyId } = context;
  const { joined, today, month } = calendar;
  const statisticsDays = [month(-11), month(-7)];
  const byDay = Map.groupBy(actions, ({ on }) => on.toString());
  for (let day = joined; !isBefore(today, day); day = day.add({ days: 1 })) {
    deps.clock.moveTo(day, '00:05');
    await lockAndCatchUp(tx, { ...deps, isPast: isBefore(day, today) }, companyId);
    if (statisticsDays.some((on) => isSameDay(on, day))) await refreshStatistics(tx);
    for (const action of byDay.get(day.toString()) ?? []) {
      deps.clock.moveTo(day, action.time);
      await action.run(context);
    }
  }
}

async function insertLogin({ tx, companyId, deps }: DemoContext): Promise<DemoLogin> {
  const login = { email: 'demo@musterwerk.example', password: randomBytes(12).toString('base64url') };
  const user = { ...login, id: demoUserId, name: demoUserName, roles: ['admin'] } as const;
  const id = await insertUser(tx, companyId, user, { at: deps.clock.now() });
  if (id === undefined) throw new Error(`${login.email} has a portal account already.`);
  return login;
}

async function join(
  tx: Tx,
  options: DemoOptions,
  calendar: Calendar,
  hrSystem: DemoHrSystem,
): Promise<{ context: DemoContext; key: NewKey }> {
  const clock = createDemoClock(calendar);
  clock.moveTo(calendar.joined, '09:00');
  const { planType, contributionCents } = offerOn(calendar, calendar.joined);
  const settings = { name: companyName, planType, contributionCents };
  const companyId = await insertCompany(tx, settings, clock.now());
  const key = await insertKey(
    tx,
    companyId,
    { environment: options.environment, name: 'Demo', permissions },
    { at: clock.now() },
  );
  const deps = createDeps(clock, options.queue);
  const context = { tx, companyId, deps, username: key.username, integrationIds: new Map(), hrSystem };
  return { context, key };
}

const places: Place[] = ['old', 'main', 'south', 'branch'];

/**
 * Adds the ticket price that the demo company's employees are asked about. It belongs to no company, so it is a transaction of
 * its own, as by the operator's command.
 */
export const addDemoPrice = (tx: Tx, { clock }: Pick<DemoOptions, 'clock'>): Promise<void> =>
  addComingPrice(tx, createCalendar(clock.now()));

/** Creates the company with a year of history by daily runs and syncs, the same on the same day except secrets. */
export async function insertDemoCompany(tx: Tx, options: DemoOptions): Promise<DemoAccess> {
  const calendar = createCalendar(options.clock.now());
  const random = createRandom(seed);
  const employees = createPopulation(random, calendar);
  const actions = [
    ...setUps(calendar, employees),
    ...createActions(random, calendar, employees),
    ...places.flatMap((place) => rostersOf(calendar, employees, place)),
  ];
  const hrSystem = await startDemoHrSystem(options.encryption);
  const { context, key } = await join(tx, options, calendar, hrSystem);
  await setUpInvoicing(context);
  const login = await insertLogin(context);
  await runYear(context, calendar, inOrder(actions, calendar)).finally(hrSystem.close);
  // Adds files last, to minimize the time in which a killed process would leave files without documents.
  await addDocuments(context, calendar, companyName, options.documents);
  await addRequests(context, calendar);
  await options.queue.enqueueDocuments(tx, context.companyId, null);
  await options.queue.enqueueInvoices(tx, context.companyId);
  await countChange(tx, context.companyId);
  await expireEvents(tx, context.companyId, options.clock.now());
  return { key, login };
}
