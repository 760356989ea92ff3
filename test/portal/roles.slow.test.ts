import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { listPortalRoutes } from '../../scripts/portal-routes.ts';
import { type Role, roles } from '../../src/domain/enums.ts';
import { type Ability, isAble } from '../../src/domain/roles.ts';
import { proveAddress } from '../../src/features/accounts/prove-address.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import { type TestResponse, useApp } from '../support/app.ts';
import { makeCase, makeCompany, makeContractBatch, makeEmployee, makeKey, makePull } from '../support/factories.ts';
import { makePolicy, newPolicy, policyChange } from '../support/policies.ts';
import { anonymousClient, clientWith, makeUser, type PortalClient, portalRequest, signIn } from '../support/portal.ts';
import { makeOneOfEach } from '../support/records.ts';

/**
 * These tests cover all routes. They send a request to every address that the portal's API registers, and an address
 * missing from the table below fails. The table states who has access, independently of how the routes define it.
 */

interface Ids {
  employee: number;
  document: number;
  invoice: number;
  integration: number;
  syncId: string;
  pull: number;
  case: number;
  key: string;
  user: string;
  invitation: number;
  webhook: number;
  delivery: number;
  payrollExport: number;
  contractBatch: number;
  /** An employee with an open agreement. */
  agreement: number;
  policy: number;
  policyChange: number;
}

interface Sample {
  who: 'public' | 'read' | Ability;
  /** The values for the `:` parameters of the address, in order. */
  ids?: (ids: Ids) => (string | number)[];
  /** The address names no record of a company, so there is no record of another company to request. */
  plain?: readonly string[];
  body?: unknown;
}

const integration = ({ integration: id }: Ids) => [id];
const sync = ({ integration: id, syncId }: Ids) => [id, syncId];
const employee = ({ employee: id }: Ids) => [id];
const key = ({ key: username }: Ids) => [username];
const user = ({ user: id }: Ids) => [id];
const webhook = ({ webhook: id }: Ids) => [id];
const delivery = ({ webhook: id, delivery: sequence }: Ids) => [id, sequence];
const policy = ({ policy: id }: Ids) => [id];
const change = ({ policyChange: id }: Ids) => [id];
const endpoint = { url: 'http://127.0.0.1:9999/hook', eventTypes: [], description: '' };
const period = ['2026-11-01'];
const credentials = { provider: 'personio', credentials: { clientId: 'x', clientSecret: 'y' } };
const roster = { syncId: 'roles', employees: [] };
const invitationToken = [`1.${'x'.repeat(43)}`];

/** Nobody listens there, so it is refused without waiting. */
const ssoConnection = {
  issuer: 'http://127.0.0.1:9',
  clientId: 'portal',
  clientSecret: 'secret',
  defaultRoles: ['viewer'],
  groupsClaim: 'groups',
  groupRoles: [],
  isEnforced: false,
  breakGlassUserId: null,
};

const pdf = { body: { name: 'Scan', content: Buffer.from('%PDF-1.7').toString('base64') } };

const newEmployee = {
  ...{ firstName: 'Eva', lastName: 'Neu', email: 'no address', hrId: null },
  ...{ dateOfBirth: null, startDate: null, subscribe: false },
};

const invalidPasskey = { id: 'x', clientDataJson: 'x', authenticatorData: 'x', signature: 'x', userHandle: null };

const samples: Record<string, Sample> = {
  'POST /auth/sign-in/email': { who: 'public', body: { email: 'nobody@example.com', password: 'nobody at all' } },
  'POST /auth/sign-out': { who: 'public' },
  'POST /auth/change-password': {
    who: 'read',
    body: { currentPassword: 'not the password', newPassword: 'another password' },
  },
  'POST /auth/revoke-other-sessions': { who: 'read' },
  'POST /auth/revoke-sessions': { who: 'read' },
  'GET /auth/sessions': { who: 'read' },
  'POST /auth/sessions/:/end': { who: 'read', plain: ['unknown'] },
  'GET /auth/second-factor': { who: 'read' },
  'POST /auth/second-factor': { who: 'read' },
  'POST /auth/second-factor/confirm': { who: 'read', body: { code: '000000' } },
  'POST /auth/second-factor/recovery-codes': { who: 'read' },
  'POST /auth/second-factor/remove': { who: 'read' },
  'POST /auth/step-up': { who: 'read', body: { credential: 'not the password' } },
  'GET /auth/passkeys': { who: 'read' },
  'POST /auth/passkeys/options': { who: 'read' },
  'POST /auth/passkeys': {
    who: 'read',
    body: { name: 'Laptop', passkey: { id: 'x', clientDataJson: 'x', attestationObject: 'x', transports: [] } },
  },
  'POST /auth/passkeys/:/remove': { who: 'read', plain: ['unknown'] },
  'POST /auth/sign-in/passkey/options': { who: 'public' },
  'POST /auth/sign-in/passkey': { who: 'public', body: { passkey: invalidPasskey } },
  'POST /auth/step-up/passkey/options': { who: 'read' },
  'POST /auth/step-up/passkey': { who: 'read', body: { passkey: invalidPasskey } },
  'POST /auth/request-password-reset': { who: 'public', body: { email: 'nobody@example.com' } },
  'POST /auth/reset-password': { who: 'public', body: { token: 'unknown', newPassword: 'another password' } },
  'GET /invitations/:': { who: 'public', plain: invitationToken },
  'POST /invitations/:': {
    who: 'public',
    plain: invitationToken,
    body: { name: 'Nobody', password: 'a fresh password' },
  },
  'POST /invitations/:/join': { who: 'public', plain: invitationToken, body: { password: 'a password' } },
  'POST /auth/sso/start': { who: 'public', body: { email: 'nobody@example.com' } },
  'POST /auth/sso/finish': { who: 'public', body: { connection: 1, query: '?code=x&state=y' } },
  'GET /sso': { who: 'settings' },
  'POST /sso': { who: 'settings', body: ssoConnection },
  'DELETE /sso': { who: 'settings' },
  'POST /sso/domains': { who: 'settings', body: { domain: 'example.com' } },
  'POST /sso/domains/:/check': { who: 'settings', plain: ['unknown.example.com'] },
  'DELETE /sso/domains/:': { who: 'settings', plain: ['unknown.example.com'] },
  'GET /memberships': { who: 'read' },
  'POST /memberships/switch': { who: 'read', body: { companyId: 999_999_999 } },
  'POST /auth/prove-address': { who: 'read' },
  'POST /auth/prove-address/:': { who: 'read', plain: ['x'.repeat(43)] },
  'GET /me': { who: 'read' },
  'POST /me/language': { who: 'read', body: { language: 'de' } },
  'GET /me/notices': { who: 'read' },
  'POST /me/notices': { who: 'read', body: { notice: 'month-billed', isOn: false } },
  'GET /me/views': { who: 'read' },
  'POST /me/views': { who: 'read', body: { list: 'employees', name: 'View', address: '', hidden: [] } },
  'POST /me/views/remove': { who: 'read', body: { list: 'employees', name: 'View' } },
  'GET /month-end': { who: 'read' },
  'GET /issuer': { who: 'read' },
  'POST /issuer/invoices': { who: 'invoice-files', body: { month: '2026-11', content: 'YQ==' } },
  'POST /issuer/blocks': { who: 'decisions', body: { employeeId: 1, month: '2026-11', reason: 'lost' } },
  'POST /issuer/replacements': { who: 'decisions', body: { employeeId: 1, month: '2026-11', reason: 'lost' } },
  'GET /issuer/order-files/:/:': { who: 'decisions', plain: ['2026-11', 'csv'] },
  'POST /issuer/returned-lists/preview': { who: 'decisions' },
  'POST /issuer/returned-lists': { who: 'decisions' },
  'POST /issuer/delivery': { who: 'integrations', body: { kind: 'none' } },
  'POST /issuer/delivery/check': { who: 'integrations' },
  'POST /issuer/order-files/:/:/deliveries': { who: 'decisions', plain: ['2026-11', '1'] },
  'POST /issuer/returned-rows/:': { who: 'decisions', plain: ['1'], body: { employeeId: null } },
  'GET /overview': { who: 'read' },
  'GET /keys': { who: 'read' },
  'POST /keys': { who: 'keys', body: { name: 'Key', permissions: ['view-billing'], expiresAt: null } },
  'GET /keys/:': { who: 'read', ids: key },
  'POST /keys/:': { who: 'keys', ids: key, body: { name: 'Key', permissions: ['view-billing'] } },
  'GET /requests': { who: 'keys' },
  'POST /keys/:/rotate': { who: 'keys', ids: key, body: { overlapHours: 1 } },
  'POST /keys/:/approve': { who: 'key-approvals', ids: key, body: { permissions: ['view-billing'] } },
  'POST /keys/:/reject': { who: 'key-approvals', ids: key, body: { permissions: ['view-billing'] } },
  'POST /keys/:/revoke': { who: 'keys', ids: key },
  'GET /integrations': { who: 'read' },
  'POST /integrations': { who: 'integrations', body: { name: 'New', type: 'api-integration' } },
  'GET /integrations/:': { who: 'read', ids: integration },
  'POST /integrations/:/status': { who: 'integrations', ids: integration, body: { status: 'active' } },
  'POST /integrations/:/name': { who: 'integrations', ids: integration, body: { name: 'Renamed' } },
  'GET /integrations/:/deletion': { who: 'integration-deletion', ids: integration },
  'POST /integrations/:/deletion': {
    who: 'integration-deletion',
    ids: integration,
    body: { remaining: 'keep', confirm: 999_999 },
  },
  'GET /integrations/:/scim': { who: 'read', ids: integration },
  'POST /integrations/:/scim/token': { who: 'integrations', ids: integration },
  'POST /integrations/:/scim/token/revoke': { who: 'integrations', ids: integration },
  'POST /integrations/:/scim/settings': {
    who: 'integrations',
    ids: integration,
    body: { hrIdAttribute: 'externalId' },
  },
  'GET /integrations/:/cases': { who: 'read', ids: integration },
  'POST /integrations/:/cases': { who: 'integrations', ids: integration },
  'GET /integrations/:/cases/:': { who: 'integrations', ids: ({ integration: id, case: saved }) => [id, saved] },
  'DELETE /integrations/:/cases/:': { who: 'integrations', ids: ({ integration: id }) => [id, 999_999] },
  'GET /integrations/:/syncs': { who: 'read', ids: integration },
  'GET /integrations/:/syncs/:': { who: 'read', ids: sync },
  'GET /integrations/:/syncs/:/progress': { who: 'read', ids: sync },
  'POST /integrations/:/syncs/:/retry': { who: 'syncs', ids: sync },
  'GET /integrations/:/syncs/:/records': { who: 'read', ids: sync },
  'GET /integrations/:/syncs/:/records/export': { who: 'read', ids: sync },
  'GET /integrations/:/syncs/:/removals': { who: 'removals', ids: sync },
  'POST /integrations/:/syncs/:/removals': { who: 'removals', ids: sync, body: { decision: 'rejected', confirm: 1 } },
  'POST /integrations/:/inspect': { who: 'syncs', ids: integration, body: roster },
  'POST /integrations/:/preview': { who: 'syncs', ids: integration, body: roster },
  'POST /integrations/:/sync': { who: 'syncs', ids: integration, body: roster },
  'GET /connector-templates': { who: 'read' },
  'GET /integrations/:/connection': { who: 'read', ids: integration },
  'POST /integrations/:/connection': { who: 'integrations', ids: integration, body: credentials },
  'POST /integrations/:/connection/check': { who: 'integrations', ids: integration, body: { mapping: null } },
  'POST /integrations/:/connection/rules': { who: 'integrations', ids: integration, body: { finish: false } },
  'POST /integrations/:/hints': { who: 'integrations', ids: integration },
  'POST /integrations/:/hints/secret': { who: 'integrations', ids: integration, body: { signingSecret: 'secret' } },
  'DELETE /integrations/:/hints': { who: 'integrations', ids: integration },
  'POST /integrations/:/pulls': { who: 'syncs', ids: integration, body: { kind: 'manual' } },
  'GET /integrations/:/pulls/:': { who: 'read', ids: ({ integration: id, pull }) => [id, pull] },
  'GET /employees': { who: 'read' },
  'GET /employees/export': { who: 'read' },
  'GET /employees/groups': { who: 'read' },
  'POST /employees/groups/preview': { who: 'decisions', body: { group: 'Kiel' } },
  'POST /employees/groups': { who: 'decisions', body: { group: 'Kiel', confirm: 999_999 } },
  'GET /find': { who: 'read' },
  'GET /employees/:': { who: 'read', ids: employee },
  'GET /employees/:/tickets': { who: 'read', ids: employee },
  'POST /employees': { who: 'decisions', body: newEmployee },
  'POST /employees/preview': { who: 'decisions', body: newEmployee },
  'POST /employees/:/changes/preview': { who: 'decisions', ids: employee, body: { personnelNumber: '1' } },
  'POST /employees/:/changes': { who: 'decisions', ids: employee, body: { personnelNumber: '1' } },
  'POST /employees/:/links': { who: 'decisions', ids: employee, body: { hrId: 'X-1' } },
  'POST /employees/:/links/remove': { who: 'decisions', ids: employee, body: { hrId: 'X-2' } },
  'POST /employees/:/decisions/preview': { who: 'decisions', ids: employee, body: { decision: 'cancel' } },
  'POST /employees/:/decisions': { who: 'decisions', ids: employee, body: { decision: 'cancel' } },
  'POST /contracts/decisions/preview': { who: 'decisions', body: { decision: 'contract-accepted' } },
  'POST /contracts/decisions': { who: 'decisions', body: { decision: 'contract-accepted', confirm: 1 } },
  'POST /subscription-batches/preview': { who: 'decisions', body: { action: 'pause' } },
  'POST /subscription-batches': { who: 'decisions', body: { action: 'pause', confirm: 1 } },
  'GET /subscription-batches/:': { who: 'decisions', ids: ({ contractBatch: id }) => [id] },
  'GET /subscription-batches/:/export': { who: 'decisions', ids: ({ contractBatch: id }) => [id] },
  'POST /subscription-batches/:/undo': {
    who: 'decisions',
    ids: ({ contractBatch: id }) => [id],
    body: { confirm: 1 },
  },
  'POST /contracts/links': { who: 'decisions', body: { employeeIds: [1] } },
  'POST /contracts/letters': { who: 'decisions', body: { employeeIds: [1] } },
  'POST /contracts/reminders': { who: 'decisions', body: { employeeIds: [1] } },
  'GET /joining': { who: 'decisions' },
  'GET /joining/invitations': { who: 'decisions' },
  'POST /joining/invitations/preview': { who: 'decisions', body: {} },
  'POST /joining/invitations': { who: 'decisions', body: { employeeIds: [1], confirm: 1 } },
  'POST /joining/letters': { who: 'decisions', body: { employeeIds: [1] } },
  'POST /joining/reminders': { who: 'decisions', body: { employeeIds: [1] } },
  'GET /policies': { who: 'policies' },
  'POST /policies': { who: 'policies', body: { ...newPolicy, name: 'Another policy' } },
  'POST /policies/order': { who: 'policies', body: { ids: [] } },
  'POST /policies/:': { who: 'policies', ids: policy, body: {} },
  'POST /policies/:/changes/preview': { who: 'policies', ids: policy, body: policyChange },
  'POST /policies/:/changes': { who: 'policies', ids: policy, body: { ...policyChange, confirm: 999_999 } },
  'GET /policies/changes/:': { who: 'policies', ids: change },
  'GET /policies/changes/:/employees': { who: 'policies', ids: change },
  'POST /policies/changes/:/reminders': { who: 'policies', ids: change },
  'POST /employees/:/policy': { who: 'policies', ids: employee, body: { policyId: null } },
  'GET /agreements': { who: 'decisions' },
  'GET /agreements/:/preview': { who: 'decisions', ids: ({ agreement: id }) => [id] },
  'GET /signing/:': { who: 'public', plain: invitationToken },
  'GET /signing/:/agreement': { who: 'public', plain: invitationToken },
  'POST /signing/:': {
    who: 'public',
    plain: invitationToken,
    body: { decision: 'contract-accepted', documentSha256: '0'.repeat(64) },
  },
  'GET /documents': { who: 'read' },
  'POST /documents': { who: 'company-documents', ...pdf },
  'POST /employees/:/documents': { who: 'decisions', ids: employee, ...pdf },
  'GET /documents/progress': { who: 'read' },
  'GET /documents/archive': { who: 'documents' },
  'GET /documents/:/download': { who: 'documents', ids: ({ document: id }) => [id] },
  'GET /billing': { who: 'read' },
  'GET /billing/:/items': { who: 'read', plain: period },
  'GET /billing/:/items/export': { who: 'read', plain: period },
  'POST /billing/forecast': { who: 'read', body: { months: 1 } },
  'GET /billing/corrections/proposals': { who: 'read' },
  'POST /billing/corrections/preview': { who: 'corrections', body: { items: [1], reason: 'refunded' } },
  'POST /billing/corrections': { who: 'corrections', body: { items: [1], reason: 'refunded' } },
  'POST /billing/corrections/kept': { who: 'corrections', body: { items: [1] } },
  'GET /invoices': { who: 'read' },
  'GET /invoices/:/download': { who: 'invoice-files', ids: ({ invoice: id }) => [id] },
  'GET /events': { who: 'read' },
  'GET /webhook-endpoints': { who: 'read' },
  'POST /webhook-endpoints': { who: 'webhooks', body: endpoint },
  'GET /webhook-endpoints/:': { who: 'read', ids: webhook },
  'POST /webhook-endpoints/:': { who: 'webhooks', ids: webhook, body: endpoint },
  'DELETE /webhook-endpoints/:': { who: 'webhooks', ids: webhook },
  'POST /webhook-endpoints/:/state': { who: 'webhooks', ids: webhook, body: { state: 'disabled' } },
  'POST /webhook-endpoints/:/rotate': { who: 'webhooks', ids: webhook },
  'POST /webhook-endpoints/:/test': { who: 'webhooks', ids: webhook },
  'POST /webhook-endpoints/:/replay': { who: 'webhooks', ids: webhook, body: { from: 1, to: null } },
  'GET /webhook-endpoints/:/deliveries': { who: 'read', ids: webhook },
  'GET /webhook-endpoints/:/deliveries/:': { who: 'read', ids: delivery },
  'POST /webhook-endpoints/:/deliveries/:/redeliver': { who: 'webhooks', ids: delivery },
  'GET /payroll/exports': { who: 'read' },
  'GET /payroll/exports/:/download': { who: 'payroll-files', ids: ({ payrollExport: id }) => [id] },
  'POST /payroll/exports/:/void': {
    who: 'payroll-voids',
    ids: ({ payrollExport: id }) => [id],
    body: { reason: 'Wrong month' },
  },
  'GET /payroll/exports/:/cover-sheet': { who: 'payroll-files', ids: ({ payrollExport: id }) => [id] },
  'POST /payroll/exports/:/handover': { who: 'payroll-files', ids: ({ payrollExport: id }) => [id] },
  'POST /payroll/exports/:/handover/withdraw': {
    who: 'payroll-files',
    ids: ({ payrollExport: id }) => [id],
    body: { reason: 'Wrong file' },
  },
  'GET /payroll/years/:': { who: 'read', plain: ['2026'] },
  'GET /payroll/years/:/download': { who: 'payroll-files', plain: ['2026'] },
  'POST /payroll/years/:/statements': { who: 'payroll-files', plain: ['2025'] },
  'GET /payroll/:': { who: 'read', plain: period },
  'POST /payroll/:': { who: 'payroll-files', plain: period },
  'GET /activity': { who: 'read' },
  'GET /activity/export': { who: 'read' },
  'GET /users': { who: 'users' },
  'POST /users/invitations': { who: 'users', body: { email: 'guest@example.com', roles: ['viewer'] } },
  'DELETE /users/invitations/:': { who: 'users', ids: ({ invitation: id }) => [id] },
  'POST /users/:/roles': { who: 'users', ids: user, body: { roles: ['viewer'] } },
  'GET /users/:/keys': { who: 'users', ids: user },
  'GET /users/:/webhook-endpoints': { who: 'users', ids: user },
  'POST /users/:/end-sessions': { who: 'users', ids: user },
  'POST /users/:/reset-second-factor': { who: 'users', ids: user },
  'POST /users/:/reset-link': { who: 'users', ids: user },
  'POST /users/:/remove': { who: 'users', ids: user, body: { revokeKeys: [], keepKeys: [] } },
  'GET /settings': { who: 'settings' },
  'POST /settings': { who: 'settings', body: { cutOffDay: 12 } },
  'GET /settings/logo': { who: 'settings' },
  'POST /settings/logo': { who: 'settings', body: { content: null } },
  'GET /settings/access': { who: 'settings' },
  'POST /settings/access': { who: 'settings', body: { secondFactorRequired: false, sessionIdleMinutes: 600 } },
  'GET /settings/mails': { who: 'settings' },
  'POST /settings/mails': { who: 'settings', body: { mails: [{ kind: 'ticket', isOn: true }] } },
  'GET /kept-mails': { who: 'kept-mails' },
  'GET /time-travel': { who: 'time-travel' },
  'POST /time-travel': { who: 'time-travel', body: { to: '2000-01-01', confirm: 2 } },
};

const may = (role: Role, { who }: Sample) => who === 'public' || who === 'read' || isAble([role], who);

const withoutRequestId = ({ body }: TestResponse) => ({ ...body, requestId: undefined });

/** Returns ids in the form of real ones that do not exist. */
const unknownTo = (companyId: number): Ids => ({
  employee: 999_999_999,
  document: 999_999_999,
  invoice: 999_999_999,
  integration: 999_999_999,
  syncId: 'sample',
  pull: 999_999_999,
  case: 999_999_999,
  key: `tk_${companyId}_0123456789abcdef`,
  user: '00000000-0000-4000-8000-000000000000',
  invitation: 999_999_999,
  webhook: 999_999_999,
  delivery: 999_999_999,
  payrollExport: 999_999_999,
  contractBatch: 999_999_999,
  agreement: 999_999_999,
  policy: 999_999_999,
  policyChange: 999_999_999,
});

describe("every route of the portal's own API", () => {
  // There are two companies, so no portal user could use time travel without the first setting. The second one spares a
  // look at the name of the endpoint's host.
  const app = useApp({ env: { TIME_TRAVEL: 'portal', WEBHOOK_ALLOW_PRIVATE: 'on' } });
  let own: Ids;
  let foreign: Ids;
  let unknown: Ids;
  let signInAnew: (role: Role) => Promise<PortalClient>;
  let clients: Record<Role, PortalClient>;
  let marks: string[];
  let routes: { method: string; url: string; name: string }[];

  async function makeCompanyWithAll() {
    const companyId = await makeCompany(app.db);
    const records = await makeOneOfEach(app, companyId);
    const offered = {
      plan_type: 'deferred-plan',
      contract_status: 'pending',
      subscription_status: 'scheduled',
    } as const;
    const agreement = await makeEmployee(app.db, companyId, { ...offered, start_on: '2026-12-01' });
    const mark = records.marks[0] ?? '';
    const admin = await makeUser(app, companyId, 'admin', { name: mark, email: `${mark}@example.com` });
    const client = await signIn(app, admin);
    const { status } = await client.post('/users/invitations', {
      email: `guest.${mark}@example.com`,
      roles: ['viewer'],
    });
    assert.equal(status, 201);
    const [invitation] = (await client.get('/users')).body.data.invitations;
    const { username } = await makeKey(app.db, companyId);
    const webhooks = await client.post('/webhook-endpoints', { ...endpoint, description: mark });
    const tested = await client.post(`/webhook-endpoints/${webhooks.body.data.id}/test`);
    const { policy, change } = await makePolicy(client, mark);
    const ids: Ids = {
      employee: records.ids.employees,
      document: records.ids['employee-documents'],
      invoice: records.ids.invoices,
      integration: records.ids['hr-integrations'],
      syncId: 'sample',
      pull: await makePull(app.db, companyId, records.ids['hr-integrations']),
      case: await makeCase(app.db, companyId, records.ids['hr-integrations']),
      key: username,
      user: admin.id,
      invitation: invitation.id,
      webhook: webhooks.body.data.id,
      delivery: tested.body.data.sequence,
      payrollExport: records.ids['payroll-exports'],
      contractBatch: await makeContractBatch(app.db, companyId),
      agreement,
      policy,
      policyChange: change,
    };
    return { companyId, ids, marks: [...records.marks, username] };
  }

  before(async () => {
    const mine = await makeCompanyWithAll();
    const theirs = await makeCompanyWithAll();
    own = mine.ids;
    foreign = theirs.ids;
    unknown = unknownTo(mine.companyId);
    marks = theirs.marks;
    signInAnew = async (role) => signIn(app, await makeUser(app, mine.companyId, role));
    const signedIn = await Promise.all(roles.map(async (role) => [role, await signInAnew(role)] as const));
    clients = Object.fromEntries(signedIn) as Record<Role, PortalClient>;
    routes = (await listPortalRoutes()).map(({ method, url }) => ({
      method,
      url,
      name: `${method} ${url.replaceAll(/:\w+/g, ':')}`,
    }));
  });

  const sampleOf = (name: string): Sample => {
    const sample = samples[name];
    assert(sample, `test/portal/roles.slow.test.ts has no sample for ${name}; add one that says who may.`);
    return sample;
  };

  /** Returns the address of a route with these ids in it. */
  function pathOf(url: string, sample: Sample, ids: Ids): string {
    const values = [...(sample.ids?.(ids) ?? sample.plain ?? [])];
    const path = url.replaceAll(/:\w+/g, () => encodeURIComponent(String(values.shift())));
    assert.deepEqual(values, [], `${url} has fewer parameters than its sample.`);
    assert(!path.includes('undefined'), `${url} has more parameters than its sample.`);
    return path;
  }

  const send = (client: PortalClient, method: string, path: string, body?: unknown) =>
    method === 'GET' ? client.get(path) : method === 'DELETE' ? client.delete(path) : client.post(path, body);

  it('is listed in the table, and the table lists no other', () => {
    assert(routes.length > 10);
    for (const { name } of routes) sampleOf(name);
    const registered = new Set(routes.map(({ name }) => name));
    assert.deepEqual(
      Object.keys(samples).filter((name) => !registered.has(name)),
      [],
    );
  });

  it('requires a session unless the table says otherwise', async () => {
    for (const { method, url, name } of routes) {
      const sample = sampleOf(name);
      const path = pathOf(url, sample, own);
      if (sample.who === 'public') {
        const { status, body } = await send(anonymousClient(app), method, path, sample.body);
        assert.notEqual(body?.code, 'not-signed-in', `${name} answered ${status}`);
        continue;
      }
      const forged = clientWith(app, 'transit.session_token=forged.signature');
      for (const client of [anonymousClient(app), forged]) {
        // Omit the required body: the service checks who sends a request before it checks the content.
        const response = await send(client, method, path);
        assert.deepEqual([response.status, response.body?.code], [401, 'not-signed-in'], name);
      }
    }
  });

  it('does not accept an API key', async () => {
    const { username, password } = await makeKey(app.db, await makeCompany(app.db));
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    for (const { method, url, name } of routes) {
      const sample = sampleOf(name);
      if (sample.who === 'public') continue;
      const headers = { authorization, origin: new URL(app.config.publicUrl).origin };
      const response = await portalRequest(app, pathOf(url, sample, own), { method, headers });
      assert.equal(response.status, 401, name);
    }
  });

  for (const role of roles) {
    it(`allows the role ${role} what the table of abilities lists`, async () => {
      for (const { method, url, name } of routes) {
        const sample = sampleOf(name);
        if (sample.who === 'public') continue;
        // They end every session of the user who sends the request.
        const client = name.includes('/auth/revoke-') ? await signInAnew(role) : clients[role];
        if (may(role, sample)) {
          const response = await send(client, method, pathOf(url, sample, unknown), sample.body);
          assert(![401, 403, 405].includes(response.status), `${name}: ${response.bytes}`);
        } else {
          const response = await send(client, method, pathOf(url, sample, own));
          assert.deepEqual([response.status, response.body?.code], [403, 'missing-role'], name);
        }
      }
    });
  }

  it('changes nothing of an account in a session that an identity provider opened', async () => {
    const [here, there] = [await makeCompany(app.db), await makeCompany(app.db)];
    const email = 'in-both@example.com';
    const [user, sibling] = [
      await makeUser(app, here, 'admin', { email }),
      await makeUser(app, there, 'admin', { email }),
    ];
    for (const [companyId, { id }] of [
      [here, user],
      [there, sibling],
    ] as const)
      await writeCompany(app.db, companyId, (tx) => proveAddress(tx, companyId, { id, email, by: {} }));
    const secondFactor = {
      user_id: user.id,
      company_id: here,
      encrypted_secret: 'x',
      confirmed_at: '2026-01-01T00:00:00Z',
    };
    const client = await signIn(app, user);
    await app.db.insertInto('portal_second_factors').values(secondFactor).execute();
    const origin = { user_id: user.id, method: 'single-sign-on', connection_company_id: here };
    await app.db.updateTable('portal_sessions').set(origin).where('user_id', 'in', [user.id, sibling.id]).execute();
    const readAccount = () =>
      Promise.all([
        app.db.selectFrom('portal_second_factors').selectAll().where('user_id', '=', user.id).execute(),
        app.db.selectFrom('portal_passkeys').selectAll().where('user_id', 'in', [user.id, sibling.id]).execute(),
        app.db
          .selectFrom('portal_users')
          .innerJoin('portal_accounts', 'portal_accounts.user_id', 'portal_users.id')
          .select(['portal_users.id', 'email', 'address_proven_at', 'password'])
          .where('portal_users.id', 'in', [user.id, sibling.id])
          .orderBy('portal_users.id')
          .execute(),
      ]);
    const before = await readAccount();
    // They end sessions of this membership only, so they come last.
    const harmless = ['POST /auth/sessions/:/end', 'POST /auth/revoke-other-sessions', 'POST /auth/revoke-sessions'];
    const refused: string[] = [];
    for (const { method, url, name } of routes) {
      const sample = sampleOf(name);
      if (sample.who === 'public' || method === 'GET' || harmless.includes(name)) continue;
      const response = await send(client, method, pathOf(url, sample, unknown), sample.body);
      assert.notEqual(response.status, 401, name);
      if (response.body?.code === 'account-protected') refused.push(name);
    }
    for (const name of harmless) {
      const response = await send(client, 'POST', pathOf(name.slice(5).replace(':', ':id'), sampleOf(name), unknown));
      assert.notEqual(response.status, 403, name);
    }
    const accountRoutes = routes.filter(({ name }) => /^(POST|DELETE) \/(auth|memberships)\//.test(name));
    const expected = accountRoutes.filter(({ name }) => sampleOf(name).who !== 'public' && !harmless.includes(name));
    assert(expected.length >= 12);
    assert.deepEqual(refused.toSorted(), expected.map(({ name }) => name).toSorted());
    assert.deepEqual(await readAccount(), before);
  });

  it('responds to ids of another company as to unknown ids', async () => {
    let requests = 0;
    for (const { method, url, name } of routes) {
      const sample = sampleOf(name);
      if (sample.ids === undefined) continue;
      requests += 1;
      const theirs = await send(clients.admin, method, pathOf(url, sample, foreign), sample.body);
      const unknownResponse = await send(clients.admin, method, pathOf(url, sample, unknown), sample.body);
      assert.equal(theirs.status, 404, `${name}: ${theirs.bytes}`);
      assert.equal(theirs.body.code, 'not-found');
      assert.deepEqual(withoutRequestId(theirs), withoutRequestId(unknownResponse), name);
    }
    assert(requests >= 5);
  });

  it('refuses an id with a NUL character, which the database cannot store', async () => {
    const addresses = routes.filter(({ url }) => url.includes(':'));
    assert(addresses.length > 10);
    for (const { method, url, name } of addresses) {
      const path = url.replaceAll(/:\w+/g, 'a%00b');
      const { status, bytes } = await send(clients.admin, method, path, sampleOf(name).body);
      assert([400, 404, 410].includes(status), `${name} answered ${status}: ${bytes}`);
    }
  });

  it('refuses an unknown parameter and changes nothing', async () => {
    for (const { method, url, name } of routes) {
      const sample = sampleOf(name);
      const path = `${pathOf(url, sample, own)}?unknownParameter=1`;
      const { status, body } = await send(clients.admin, method, path, sample.body);
      assert.deepEqual([status, body?.errors?.[0]?.parameter], [400, 'unknownParameter'], name);
    }
  });

  it('returns nothing of another company', async () => {
    for (const { method, url, name } of routes) {
      const sample = sampleOf(name);
      if (method !== 'GET') continue;
      const response = await send(clients.admin, method, pathOf(url, sample, own));
      if (sample.who !== 'public') assert.equal(response.status, 200, `${name}: ${response.bytes}`);
      const text = response.bytes.toString();
      for (const mark of marks) assert(!text.includes(mark), `${name}: ${mark} belongs to another company`);
    }
  });

  it("accepts changes from the portal's own pages only", async () => {
    const foreignOrigins: Record<string, string>[] = [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const { method, url, name } of routes) {
      if (method === 'GET') continue;
      const sample = sampleOf(name);
      for (const headers of foreignOrigins) {
        const options = { method, headers: { cookie: clients.admin.cookie, ...headers }, body: sample.body };
        const response = await portalRequest(app, pathOf(url, sample, own), options);
        assert.deepEqual([response.status, response.body?.code], [403, 'cross-site-request'], name);
      }
    }
  });

  it('forbids caching of its responses', async () => {
    for (const { method, url, name } of routes) {
      if (method !== 'GET') continue;
      const { headers } = await clients.admin.get(pathOf(url, sampleOf(name), own));
      assert.match(headers.get('cache-control') ?? '', /no-store|private/, name);
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    }
  });
});
