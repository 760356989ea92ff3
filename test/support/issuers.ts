import { sql } from 'kysely';
import { operator } from '../../src/domain/actor.ts';
import type { CompanyContext } from '../../src/features/context.ts';
import { readIssuerSettings } from '../../src/features/issuers/open-issuer.ts';
import { processOrders } from '../../src/features/issuers/process.ts';
import { setIssuer } from '../../src/features/issuers/settings.ts';
import { readEncryption } from '../../src/platform/crypto/open-encryption.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import type { Fixture } from './daily-run.ts';
import { anEmployee, makeEmployees } from './factories.ts';

/** The context in which the command line changes a company. */
export function operatorContext({ app, clock }: Fixture, companyId: CompanyId): CompanyContext {
  const { serviceDb: db, config } = app;
  return {
    ...{ config, db, companyId },
    by: { actor: operator, name: 'Operator', at: clock.now() },
    write: (change) => writeCompany(db, companyId, (tx) => change(tx, ['admin'])),
    openEncryption: () => readEncryption(config),
  };
}

/** Lets the company order its tickets from a fake. */
export const orderFrom = (fixture: Fixture, companyId: CompanyId, issuer: { url: string; token: string }) =>
  setIssuer(operatorContext(fixture, companyId), { issuer: 'http', url: issuer.url, token: issuer.token });

/** Does once what the job does. */
export async function runOrders({ app, clock }: Fixture, companyId: CompanyId): Promise<void> {
  const { serviceDb: db, config, deps } = app;
  const read = readIssuerSettings(config, await readEncryption(config));
  const issuers = { ...read, allowsPrivateHosts: true, timeoutMillis: 2_000, settleMillis: 0 };
  await processOrders({ db, ...deps, clock, issuers, signal: new AbortController().signal }, companyId);
}

/** Adds employees whose subscription is running. */
export const subscribeEmployees = (
  { app }: Fixture,
  companyId: CompanyId,
  count: number,
  fields: Parameters<typeof anEmployee>[0] = {},
): Promise<number[]> =>
  makeEmployees(
    app.db,
    companyId,
    Array.from({ length: count }, () =>
      anEmployee({
        ...{ subscription_status: 'active', start_on: '2026-01-01', next_ticket_on: '2026-02-01', due_on: null },
        date_of_birth: '1990-05-17',
        ...fields,
      }),
    ),
  );

/** Returns the orders as `employee month attempt state`, in this order. */
export async function listOrderStates({ app }: Fixture, companyId: CompanyId): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(' ', o.employee_id, to_char(o.month, 'YYYY-MM'), o.attempt, o.state, o.reason_code) as text
    from ticket_orders o where o.company_id = ${companyId} order by o.employee_id, o.month, o.attempt`.execute(app.db);
  return rows.map(({ text }) => text);
}
