import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { TestApp } from './app.ts';
import {
  aServiceCharge,
  aTicketCharge,
  makeBillingItems,
  makeDocument,
  makeEmployee,
  makeIntegration,
  makePayrollExport,
} from './factories.ts';
import { makeInvoice } from './invoicing.ts';
import { type Operation, openapiDocument } from './openapi.ts';
import { makeTicket } from './wallets.ts';

/** One record of every kind, and words that occur only in the records of this company. */
export interface Records {
  companyId: CompanyId;
  ids: Record<
    'employees' | 'employee-documents' | 'items' | 'invoices' | 'payroll-exports' | 'hr-integrations',
    number
  >;
  /** Company and token, as in the wallet links of a ticket. */
  pass: string;
  marks: string[];
}

let months = 0;
/** Returns a month that has no invoice yet, and that no daily run of a test bills. */
const nextPeriod = () => Temporal.PlainDate.from('2001-01-01').add({ months: months++ }).toString();

export async function makeOneOfEach(app: TestApp, companyId: CompanyId): Promise<Records> {
  const mark = `mark${companyId}company`;
  const { db } = app;
  const employee = await makeEmployee(db, companyId, { last_name: mark });
  const integration = await makeIntegration(db, companyId, mark);
  await db
    .insertInto('hr_links')
    .values({ company_id: companyId, employee_id: employee, hr_integration_id: integration, hr_id: mark })
    .execute();
  const file = await app.documents.put(companyId, 'pdf', Buffer.from('%PDF-1.7 sample %%EOF'));
  const document = await makeDocument(db, companyId, { employeeId: employee, name: mark, file });
  await makeBillingItems(db, companyId, [aTicketCharge(employee, { last_name: mark }), aServiceCharge()]);
  const { rows } = await sql<{ id: number }>`
    select min(b.id) as id from billing_items b where b.company_id = ${companyId}`.execute(db);
  const item = rows[0]?.id;
  await db
    .insertInto('syncs')
    .values({
      company_id: companyId,
      hr_integration_id: integration,
      sync_id: samples.syncId ?? '',
      state: 'succeeded',
      pushed_by: mark,
    })
    .execute();
  assert(item);
  return {
    companyId,
    ids: {
      employees: employee,
      'employee-documents': document,
      items: item,
      'payroll-exports': await makePayrollExport(db, companyId, { exported_by: mark }),
      invoices: await makeInvoice(db, companyId, app.documents, { period: nextPeriod(), number: employee }),
      'hr-integrations': integration,
    },
    pass: await makeTicket(db, companyId, employee),
    marks: [mark],
  };
}

const samples: Record<string, string> = { period: '2026-11-01', chargeType: 'ticket-charge', syncId: 'sample' };

/** Returns the request body for a sample of the operation, if it takes one: the example in the OpenAPI document. */
export function bodyOf({ requestBody }: Operation): { headers: Record<string, string>; body: string } | undefined {
  const name = requestBody?.content['application/json']?.schema.$ref.split('/').at(-1);
  if (name === undefined) return undefined;
  const example = openapiDocument.components.schemas[name]?.examples?.[0];
  assert(example, `The schema ${name} has no example.`);
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(example) };
}

/** Returns a path of the operation that leads to the given records. */
export function sampleOf(operation: Operation, records: Records): string {
  return operation.path.replace(/\/([a-z-]+)\/\{id\}|\{(\w+)\}/g, (whole, noun: string, name: string) => {
    if (noun !== undefined) {
      const id = records.ids[noun as keyof Records['ids']];
      assert(id !== undefined, `test/support/records.ts makes no record for ${whole}; add one.`);
      return `/${noun}/${id}`;
    }
    const value = name === 'pass' ? records.pass : samples[name];
    assert(value !== undefined, `test/support/records.ts has no sample for {${name}}; add one.`);
    return value;
  });
}
