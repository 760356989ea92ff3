import assert from 'node:assert/strict';
import type { TestApp } from '../../test/support/app.ts';
import { makeCompany, makeKey } from '../../test/support/factories.ts';
import { makeUser, signIn } from '../../test/support/portal.ts';
import { makeOneOfEach } from '../../test/support/records.ts';
import type { PortalSeat } from '../support/generate-portal.ts';

/** Creates a company with an admin, and something of every kind to request. */
export async function makePortalSeat(app: TestApp): Promise<PortalSeat> {
  const companyId = await makeCompany(app.db);
  const { ids } = await makeOneOfEach(app, companyId);
  const admin = await makeUser(app, companyId);
  const client = await signIn(app, admin);
  const guest = await signIn(app, await makeUser(app, companyId, 'viewer'));
  const invited = await client.post('/users/invitations', { email: 'invited@example.com', role: 'viewer' });
  assert.equal(invited.status, 201);
  const { username } = await makeKey(app.db, companyId);
  const unknown = [0, 999_999_999, Number.MAX_SAFE_INTEGER];
  return {
    origin: new URL(app.config.publicUrl).origin,
    cookie: client.cookie,
    guestCookie: guest.cookie,
    ids: {
      employees: [ids.employees, ...unknown],
      documents: [ids['employee-documents'], ...unknown],
      integrations: [ids['hr-integrations'], ids['hr-integrations'], ids['hr-integrations'], ...unknown],
      users: unknown,
      syncId: ['sample', 'no such sync'],
      token: [String(invited.body.data.link).split('/').at(-1) ?? '', `${companyId}.${'x'.repeat(43)}`],
      username: [username, 'tk_1_0123456789abcdef', 'x'],
      userId: [admin.id, '00000000-0000-4000-8000-000000000000', 'x'],
      period: ['2026-11-01', '0001-01-01', '9999-12-01'],
    },
  };
}
