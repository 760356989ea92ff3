import assert from 'node:assert/strict';
import { createAccessLink } from '../../src/features/employee-access/links.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import type { TestApp, TestResponse } from './app.ts';
import { clientWith, cookiesOf, type PortalClient, type PortalRequest, pageRequest } from './portal.ts';
import { assertMyDocumented } from './portal-document.ts';

/** Sends one request to the API of the employee's page with exactly these headers. `path` is relative to /my/api. */
const myRequest = (app: TestApp, path: string, options: PortalRequest = {}): Promise<TestResponse> =>
  pageRequest(app, { prefix: '/my/api', path, assertDocumented: assertMyDocumented }, options);

/** Returns a client that sends requests as the employee's page does, with these cookies. */
export const myClient = (app: TestApp, cookie = ''): PortalClient => clientWith(app, cookie, myRequest);

/** Returns the token of a link. */
export const tokenOf = (url: string) => new URL(url).hash.slice(1);

/** Returns a link to an employee's page, as the operator creates it. */
export const makeAccessLink = (app: TestApp, companyId: CompanyId, employeeId: number): Promise<string> =>
  writeCompany(app.db, companyId, (tx) => createAccessLink(tx, app, { companyId, employeeId, by: {} }));

/** Signs an employee in by such a link. */
export async function signInEmployee(app: TestApp, companyId: CompanyId, employeeId: number): Promise<PortalClient> {
  const token = tokenOf(await makeAccessLink(app, companyId, employeeId));
  const response = await myClient(app).post('/access/open', { token });
  assert.equal(response.status, 204, response.bytes.toString());
  return myClient(app, cookiesOf(response));
}
