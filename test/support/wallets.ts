import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';

/** Returns the path of a certificate or key made for the test suite. They are trusted nowhere. */
export const testFile = (name: string) => fileURLToPath(new URL(`./wallet-certificates/${name}`, import.meta.url));

/** The settings with which both wallets work. */
export const walletEnv = {
  APPLE_WALLET_CERTIFICATE: testFile('pass.pem'),
  APPLE_WALLET_KEY: testFile('pass-key.pem'),
  APPLE_WALLET_WWDR: testFile('intermediate.pem'),
  APPLE_WALLET_PASS_TYPE: 'pass.com.example.transit.test',
  APPLE_WALLET_TEAM: 'TESTTEAM01',
  GOOGLE_WALLET_SERVICE_ACCOUNT: testFile('google-service-account.json'),
  GOOGLE_WALLET_ISSUER: '3388000000012345678',
};

/** Creates a ticket, by default of November 2026. Returns the last path segment of its wallet links. */
export async function makeTicket(
  db: Db,
  companyId: CompanyId,
  employeeId: number,
  fields: Partial<Record<'ticket_id' | 'month' | 'valid_from' | 'valid_until' | 'wallet_token', string>> = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('tickets')
    .values({
      company_id: companyId,
      employee_id: employeeId,
      month: '2026-11-01',
      ticket_id: `DT-202611-${String(employeeId).padStart(6, '0')}`,
      valid_from: '2026-11-01',
      valid_until: '2026-11-30',
      plan_type: 'fully-subsidized-plan',
      wallet_token: token,
      ...fields,
    })
    .execute();
  return `${companyId}.${fields.wallet_token ?? token}`;
}
