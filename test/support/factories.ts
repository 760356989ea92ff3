import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Insertable } from 'kysely';
import { permissions as allPermissions, type Permission } from '../../src/domain/enums.ts';
import { type AddedCharges, insertBillingItems, type NewBillingItem } from '../../src/features/billing/insert.ts';
import { insertCompany } from '../../src/features/companies/companies.ts';
import { insertDocument, type NewDocument } from '../../src/features/documents/add.ts';
import { insertHrIntegration } from '../../src/features/integrations/change-integration.ts';
import { insertKey } from '../../src/features/keys/keys.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import type { PayrollFilesTable } from '../../src/platform/db/types.gen.ts';
import { type Credentials, type TestApp, testClock } from './app.ts';
import { insertEmployees, type NewEmployee } from './insert-employees.ts';
import { prepare, standIn } from './prepare.ts';

let counter = 0;
const next = () => ++counter;

export const makeCompany = (db: Db, name = `Company ${next()}`): Promise<CompanyId> =>
  db
    .transaction()
    .execute((tx) =>
      insertCompany(tx, { name, planType: 'fully-subsidized-plan', contributionCents: 0 }, testClock.now()),
    );

export const makeKey = (
  db: Db,
  companyId: CompanyId,
  permissions: readonly Permission[] = allPermissions,
  expiresAt?: Temporal.Instant,
): Promise<Credentials> =>
  db.transaction().execute((tx) =>
    insertKey(tx, companyId, {
      environment: 'staging',
      name: 'Test key',
      permissions,
      ...(expiresAt ? { expiresAt } : {}),
    }),
  );

/** Creates a company, and a key of it with these permissions, for the tests of a suite or file. */
export function useCompany(app: TestApp, permissions?: readonly Permission[]) {
  const made = prepare(async () => {
    const companyId = await makeCompany(app.db);
    return { companyId, key: await makeKey(app.db, companyId, permissions) };
  });
  return {
    key: standIn(() => made.key),
    get companyId() {
      return made.companyId;
    },
  };
}

export const anEmployee = (fields: Partial<NewEmployee> = {}): NewEmployee => {
  const number = next();
  return {
    first_name: 'Anna',
    last_name: `Muster${number}`,
    email: `anna.muster${number}@example.com`,
    plan_type: 'fully-subsidized-plan',
    ...fields,
  };
};

export const someEmployees = (length: number) => Array.from({ length }, () => anEmployee());

export const makeEmployees = (db: Db, companyId: CompanyId, employees: NewEmployee[]): Promise<number[]> =>
  db.transaction().execute((tx) => insertEmployees(tx, companyId, employees));

export async function makeEmployee(db: Db, companyId: CompanyId, fields: Partial<NewEmployee> = {}): Promise<number> {
  const [id] = await makeEmployees(db, companyId, [anEmployee(fields)]);
  if (id === undefined) throw new Error('no employee was inserted');
  return id;
}

export const makeIntegration = (db: Db, companyId: CompanyId, name = `Integration ${next()}`): Promise<number> =>
  db.transaction().execute((tx) => insertHrIntegration(tx, companyId, { name, type: 'api-integration' }));

export const makeDocument = (db: Db, companyId: CompanyId, fields: Partial<NewDocument> = {}): Promise<number> =>
  db
    .transaction()
    .execute((tx) =>
      insertDocument(
        tx,
        companyId,
        { employeeId: null, name: `Document ${next()}`, fileType: 'pdf', file: null, ...fields },
        Temporal.Now.instant(),
      ),
    );

/** 59.85 € = 55.93 € net + 3.92 € tax. */
export const aTicketCharge = (employeeId: number, fields: Partial<NewBillingItem> = {}): NewBillingItem => ({
  period: '2026-11-01',
  charge_type: 'ticket-charge',
  net_cents: 5593,
  tax_cents: 392,
  gross_cents: 5985,
  employee_id: employeeId,
  first_name: 'Anna',
  last_name: 'Muster',
  email: 'anna@example.com',
  hr_id: `E-${employeeId}`,
  plan_type: 'fully-subsidized-plan',
  company_share_cents: 5985,
  employee_share_cents: 0,
  billed_at: '2026-11-01T00:05:00Z',
  ...fields,
});

export const aServiceCharge = (fields: Partial<NewBillingItem> = {}): NewBillingItem => ({
  period: '2026-11-01',
  charge_type: 'service-charge',
  net_cents: 150,
  tax_cents: 29,
  gross_cents: 179,
  billed_at: '2026-11-01T00:05:00Z',
  ...fields,
});

export const makeBillingItems = (db: Db, companyId: CompanyId, items: NewBillingItem[]): Promise<AddedCharges[]> =>
  db.transaction().execute((tx) => insertBillingItems(tx, companyId, items));

/** Inserts a decision about contracts that has been applied. */
export async function makeContractBatch(db: Db, companyId: CompanyId): Promise<number> {
  const at = testClock.now().toString();
  const { id } = await db
    .insertInto('contract_batches')
    .values({
      ...{ company_id: companyId, decision: 'contract-accepted', actor_type: 'operator' },
      ...{ total: 1, decided: 1, created_at: at, finished_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Creates a payroll export with a file of its own content, and returns its id. */
/** Inserts a finished preview of a pull. */
export async function makePull(db: Db, companyId: CompanyId, hrIntegrationId: number): Promise<number> {
  const at = testClock.now().toString();
  const { id } = await db
    .insertInto('pulls')
    .values({
      ...{ company_id: companyId, hr_integration_id: hrIntegrationId, kind: 'preview', state: 'failed' },
      ...{ sync_id: `pull-${next()}`, requested_by: 'Operator', requested_at: at, finished_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Makes a case that was saved. */
export async function makeCase(db: Db, companyId: CompanyId, hrIntegrationId: number): Promise<number> {
  const now = Temporal.Now.instant();
  const { id } = await db
    .insertInto('integration_cases')
    .values({
      ...{ company_id: companyId, hr_integration_id: hrIntegrationId, kind: 'pull', requested_by: 'Operator' },
      ...{ requested_at: now.toString(), ends_at: now.toString(), erased_at: now.add({ hours: 24 }).toString() },
      content: gzipSync('{}'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function makePayrollExport(
  db: Db,
  companyId: CompanyId,
  fields: Partial<Insertable<PayrollFilesTable>> = {},
): Promise<number> {
  const number = next();
  const content = fields.content ?? Buffer.from(`7;01/11/2026;;700;;;${number},00;;;;\r\n`);
  const { id } = await db
    .insertInto('payroll_files')
    .values({
      ...{ company_id: companyId, number, period: '2026-11-01', system: 'datev-lug', lines: 1, employees: 1 },
      ...{ tax_free_cents: 5985, flat_tax_cents: 0, deduction_cents: 0, size_bytes: content.length },
      ...{ exported_at: testClock.now().toString(), exported_by: 'Operator' },
      ...{ content, sha256: createHash('sha256').update(content).digest() },
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
