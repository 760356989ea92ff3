import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Permission, permissions } from '../../src/domain/enums.ts';
import { insertHrIntegration, updateHrIntegration } from '../../src/features/integrations/change-integration.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import { basic, type Credentials, type TestApp } from '../../test/support/app.ts';
import {
  anEmployee,
  makeCase,
  makeCompany,
  makeDocument,
  makeEmployees,
  makeIntegration,
  makeKey,
  makePull,
} from '../../test/support/factories.ts';
import { makePolicy } from '../../test/support/policies.ts';
import { makeUser, signIn } from '../../test/support/portal.ts';
import { makeOneOfEach } from '../../test/support/records.ts';
import { entries, makePusher } from '../../test/support/sync.ts';
import type { Operation } from '../arbitraries/operations.ts';
import { anyText, encode, firstOfMonth } from '../arbitraries/schema.ts';

interface Target {
  params: Record<string, string>;
  expected?: readonly number[];
  headers?: Record<string, string>;
}

/** A company with something for every operation to find, and with everything that makes an operation refuse. */
export interface Targets {
  key: Credentials;
  lacking: Record<Permission, Credentials>;
  taken: string;
  credentialsFor(operation: Operation): Record<string, string>;
  targetsOf(operation: Operation, isPlain: boolean): fc.Arbitrary<Target>;
}

const unknownIds = [0, 999_999_999, Number.MAX_SAFE_INTEGER];

async function makeBlockedIntegrations({ db }: TestApp, companyId: CompanyId): Promise<number[]> {
  const inactive = await makeIntegration(db, companyId);
  const invalid = await makeIntegration(db, companyId);
  return db.transaction().execute(async (tx) => {
    await updateHrIntegration(tx, companyId, { id: inactive, status: 'inactive' });
    await updateHrIntegration(tx, companyId, { id: invalid, status: 'invalid' });
    const missing = await insertHrIntegration(tx, companyId, { name: 'Not set up', type: 'hr-integration' });
    return [inactive, invalid, missing];
  });
}

async function makePortalTargets(app: TestApp) {
  const companyId = await makeCompany(app.db);
  const { ids } = await makeOneOfEach(app, companyId);
  const admin = await makeUser(app, companyId);
  const client = await signIn(app, admin);
  const guest = await signIn(app, await makeUser(app, companyId, 'viewer'));
  const invited = await client.post('/users/invitations', { email: 'invited@example.com', roles: ['viewer'] });
  assert.equal(invited.status, 201);
  const { username } = await makeKey(app.db, companyId);
  const webhook = await client.post('/webhook-endpoints', { url: 'https://8.8.8.8/', eventTypes: [], description: '' });
  assert.equal(webhook.status, 201);
  const tested = await client.post(`/webhook-endpoints/${webhook.body.data.id}/test`);
  const integration = ids['hr-integrations'];
  const { policy, change } = await makePolicy(client, 'Policy');
  const known: Record<string, (string | number)[]> = {
    employees: [ids.employees, ...unknownIds],
    agreements: [ids.employees, ...unknownIds],
    documents: [ids['employee-documents'], ...unknownIds],
    exports: [ids['payroll-exports'], ...unknownIds],
    invoices: [ids.invoices, ...unknownIds],
    integrations: [integration, integration, integration, ...unknownIds],
    invitations: unknownIds,
    'subscription-batches': unknownIds,
    'returned-rows': unknownIds,
    month: ['2026-12', '0001-01', '9999-12'],
    format: ['csv', 'xlsx', 'pdf'],
    'webhook-endpoints': [webhook.body.data.id, webhook.body.data.id, ...unknownIds],
    sequence: [tested.body.data.sequence, ...unknownIds],
    syncId: ['sample', 'no such sync'],
    pullId: [await makePull(app.db, companyId, integration), ...unknownIds],
    caseId: [await makeCase(app.db, companyId, integration), ...unknownIds],
    policies: [policy, ...unknownIds],
    changes: [change, ...unknownIds],
    number: [1, 10_000],
    year: [2026, 2019, 9999],
    token: [String(invited.body.data.link).split('/').at(-1) ?? '', `${companyId}.${'x'.repeat(43)}`],
    username: [username, 'tk_1_0123456789abcdef', 'x'],
    sessionId: ['no such session'],
    passkeyId: ['no such passkey'],
    domain: ['example.com', 'no such domain'],
    userId: [admin.id, '00000000-0000-4000-8000-000000000000', 'x'],
    period: ['2026-11-01', '0001-01-01', '9999-12-01'],
  };
  return { origin: new URL(app.config.publicUrl).origin, cookie: client.cookie, guestCookie: guest.cookie, known };
}

export async function makeTargets(app: TestApp): Promise<Targets> {
  const { db } = app;
  const portal = await makePortalTargets(app);
  const { companyId, integrationId: pushable, key, push } = await makePusher(app);
  const taken = 'taken';
  assert.equal((await push(taken, entries(1))).status, 204);
  const { ids, pass } = await makeOneOfEach(app, companyId);
  const many = Array.from({ length: 25 }, () => anEmployee());
  const employees = await makeEmployees(db, companyId, many);
  const month = { start_on: '2026-01-01', next_ticket_on: '2099-01-01' };
  const subscribed = await makeEmployees(
    db,
    companyId,
    Array.from({ length: 25 }, () => anEmployee({ subscription_status: 'active', ...month })),
  );
  const existing: Record<string, number[]> = {
    ...Object.fromEntries(Object.entries(ids).map(([noun, id]) => [noun, [id]])),
    employees: [ids.employees, ...employees],
    'hr-integrations': [ids['hr-integrations'], pushable],
  };
  const lacking = {} as Record<Permission, Credentials>;
  for (const one of permissions) {
    const others = permissions.filter((other) => other !== one);
    lacking[one] = await makeKey(db, companyId, others);
  }
  /** Those for which the operation works. */
  const working: Record<string, number[]> = { triggerSync: [pushable], requestSubscriptionChange: subscribed };
  const docx = { employeeId: ids.employees, fileType: 'docx' } as const;
  const refusing: Record<string, number[]> = {
    triggerSync: await makeBlockedIntegrations(app, companyId),
    downloadDocument: [await makeDocument(db, companyId), await makeDocument(db, companyId, docx)],
  };

  function idTargets({ name, path }: Operation, isPlain: boolean): fc.Arbitrary<Target> {
    const noun = /([a-z-]+)\/\{id\}/.exec(path)?.[1] ?? '';
    const all = (list: number[], rest: Partial<Target> = {}) =>
      fc
        .constantFrom(...list.flatMap((id) => [`${id}`, `${id}`, `00${id}`]))
        .map((id): Target => ({ params: { id }, ...rest }));
    const known = working[name] ?? existing[noun] ?? [];
    if (isPlain) return all(known);
    const blocked = refusing[name];
    const cached = { headers: { 'if-none-match': '*' }, expected: [304] };
    return fc.oneof(
      { arbitrary: all(known), weight: 7 },
      { arbitrary: all(unknownIds, { expected: [404] }), weight: 1 },
      ...(blocked ? [{ arbitrary: all(blocked, { expected: [409] }), weight: 2 }] : []),
      ...(name === 'downloadDocument' || name === 'downloadPayrollExport'
        ? [{ arbitrary: all(known, cached), weight: 2 }]
        : []),
    );
  }

  function apiTargets(operation: Operation, isPlain: boolean): fc.Arbitrary<Target> {
    const { path, parameters } = operation;
    const either = (params: Target['params'], unknown: fc.Arbitrary<Target['params']>): fc.Arbitrary<Target> => {
      const known = fc.constant<Target>({ params });
      const missing = unknown.map((other): Target => ({ params: other, expected: [404] }));
      return isPlain ? known : fc.oneof(known, missing);
    };
    if (path.includes('{syncId}')) {
      const id = String(ids['hr-integrations']);
      const unknown = anyText(0, 200).map((text) => ({ id, syncId: encode(`?${text}`) }));
      return either({ id, syncId: 'sample' }, unknown);
    }
    if (path.includes('{pass}')) return either({ pass }, fc.constant({ pass: `${companyId}.${'x'.repeat(43)}` }));
    if (path.includes('{id}')) return idTargets(operation, isPlain);
    if (!path.includes('{')) return fc.constant({ params: {} });
    const chargeTypes = parameters.find(({ name }) => name === 'chargeType')?.schema.enum ?? [];
    const chargeType = fc.constantFrom(...chargeTypes.map(String));
    return fc.record({ params: fc.record({ period: firstOfMonth, chargeType }) });
  }

  function portalTargets({ path }: Operation): fc.Arbitrary<Target> {
    const places = [...path.matchAll(/([\w-]*)\}?\/\{(\w+)\}/g)].map(([, before = '', name = '']) => {
      const known = portal.known[name === 'id' ? before : name];
      assert(known, `torture/generated-requests/targets.ts has nothing for {${name}} of ${path}; add it.`);
      return [name, fc.constantFrom(...known).map((value) => encode(String(value)))] as const;
    });
    return fc.record({ params: fc.record(Object.fromEntries(places)) });
  }

  return {
    key,
    lacking,
    taken,
    credentialsFor({ isPortal, isPublic, method, path }): Record<string, string> {
      if (!isPortal) return isPublic ? {} : { authorization: basic(key) };
      // Requests that end sessions have their own session.
      const cookie = /sign-out|revoke-(other-)?sessions/.test(path) ? portal.guestCookie : portal.cookie;
      return { cookie, ...(method === 'GET' ? {} : { origin: portal.origin }) };
    },
    targetsOf: (operation, isPlain) => (operation.isPortal ? portalTargets(operation) : apiTargets(operation, isPlain)),
  };
}
