import { sql } from 'kysely';
import type { SyncState } from '../domain/enums.ts';
import { searchEmployees } from '../features/employees/find-employee.ts';
import { describeInvoices } from '../features/invoices/present.ts';
import { usernameOf } from '../features/keys/credentials.ts';
import { listKeys } from '../features/keys/keys.ts';
import { portalRoutes } from '../features/portal-route.ts';
import { todayIn } from '../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../platform/db/company-scope.ts';
import type { Db } from '../platform/db/database.ts';
import { Reference } from '../platform/http/schemas.ts';
import { presentTimestamp } from '../platform/http/view.ts';
import { FindQuery, type Found, FoundSchema } from './contract.ts';

const maxResults = 6;

interface Search {
  db: Db;
  companyId: CompanyId;
  text: string;
}

async function findEmployees({ db, companyId, text }: Search, today: Temporal.PlainDate): Promise<Found['employees']> {
  const rows = await searchEmployees(db, companyId, { search: text, perPage: maxResults }, today);
  return rows.map(({ id, first_name, last_name, email, subscription_status: status }) => ({
    id,
    name: `${first_name} ${last_name}`,
    email,
    status,
  }));
}

interface SyncRow {
  hr_integration_id: number;
  sync_id: string;
  state: SyncState;
  accepted_at: string;
}

async function findSyncs({ db, companyId, text }: Search): Promise<Found['syncs']> {
  const { rows } = await sql<SyncRow>`
    select s.hr_integration_id, s.sync_id, s.state, s.accepted_at from syncs s
    where ${ofCompany(companyId, 's')} and strpos(lower(s.sync_id), lower(${text})) > 0
    order by s.id desc limit ${sql.lit(maxResults)}`.execute(db);
  return rows.map((row) => ({
    hrIntegrationId: row.hr_integration_id,
    syncId: row.sync_id,
    state: row.state,
    acceptedAt: presentTimestamp(row.accepted_at),
  }));
}

const contains = (value: string, text: string) => value.toLowerCase().includes(text.toLowerCase());

async function findKeys({ db, companyId, text }: Search): Promise<Found['keys']> {
  const keys = (await listKeys(db, companyId)).map(({ id, name }) => ({
    username: usernameOf({ companyId, keyId: id }),
    name,
  }));
  return keys.filter(({ name, username }) => contains(name, text) || contains(username, text)).slice(0, maxResults);
}

async function findInvoices({ db, companyId, text }: Search): Promise<Found['invoices']> {
  return (await describeInvoices({ db, companyId }))
    .toReversed()
    .map(({ id, number, type: kind, period }) => ({ id, number, kind, period }))
    .filter(({ number, period }) => contains(number, text) || period.startsWith(text))
    .slice(0, maxResults);
}

export const findRoutes = portalRoutes((route, { db, clock }) => {
  route('GET /find', {
    summary: 'Find employees, syncs, keys and invoices',
    description: 'At most six of each.',
    access: 'read',
    query: FindQuery,
    data: Reference(FoundSchema),
    async handle({ user, query }) {
      const { companyId, company } = user;
      const search = { db, companyId, text: query.text.trim() };
      if (search.text === '') return { employees: [], syncs: [], keys: [], invoices: [] };
      const [employees, syncs, keys, invoices] = await Promise.all([
        findEmployees(search, todayIn(clock, company.timeZone)),
        findSyncs(search),
        findKeys(search),
        findInvoices(search),
      ]);
      return { employees, syncs, keys, invoices };
    },
  });
});
