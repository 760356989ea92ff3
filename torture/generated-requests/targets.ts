import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CompanyId } from '../../src/db/company-scope.ts';
import { type Permission, permissions } from '../../src/domain/enums.ts';
import { insertHrIntegration, updateHrIntegration } from '../../src/hr-integrations/queries.ts';
import { basic, type Credentials, type TestApp } from '../../test/support/app.ts';
import {
  anEmployee,
  makeCompany,
  makeDocument,
  makeEmployees,
  makeIntegration,
  makeKey,
} from '../../test/support/factories.ts';
import { makeUser, signIn } from '../../test/support/portal.ts';
import { makeOneOfEach } from '../../test/support/records.ts';
import type { Operation } from '../arbitraries/operations.ts';
import { anyText, firstOfMonth } from '../arbitraries/text.ts';

/** The path parameters of a request, and the response that they require if it is not a success. */
interface Target {
  params: Record<string, string>;
  expected?: readonly number[];
  headers?: Record<string, string>;
}

/** A company with something for every operation to find, and with everything that makes an operation refuse. */
export interface Targets {
  key: Credentials;
  /** Keys with every permission but one. */
  lacking: Record<Permission, Credentials>;
  /** The syncId of an earlier sync. */
  taken: string;
  credentialsFor(operation: Operation): Record<string, string>;
  /** Returns the things that requests to the operation name. If `isPlain`, only existing ones. */
  targetsOf(operation: Operation, isPlain: boolean): fc.Arbitrary<Target>;
}

const unknownIds = [0, 999_999_999, Number.MAX_SAFE_INTEGER];
const encode = (text: string) => encodeURIComponent(text.toWellFormed());

async function makeBlockedIntegrations({ db }: TestApp, companyId: CompanyId): Promise<number[]> {
  const ids = [await makeIntegration(db, companyId), await makeIntegration(db, companyId)];
  const [inactive = 0, invalid = 0] = ids;
  return db.transaction().execute(async (tx) => {
    await updateHrIntegration(tx, companyId, { id: inactive, status: 'inactive' });
    await updateHrIntegration(tx, companyId, { id: invalid, status: 'invalid' });
    return [...ids, await insertHrIntegration(tx, companyId, { name: 'Not set up', type: 'hr-integration' })];
  });
}

async function push(app: TestApp, key: Credentials, integration: number, syncId: string): Promise<void> {
  const employee = { hrId: 'first', firstName: 'First', lastName: 'Roster', email: 'first@example.com' };
  const { status } = await app.request(`/hr-integrations/${integration}/sync`, {
    method: 'POST',
    headers: { authorization: basic(key), 'content-type': 'application/json' },
    body: JSON.stringify({ syncId, employees: [employee] }),
  });
  assert.equal(status, 204);
}

/** Returns the portal's credentials and existing ids by parameter name. `id` is looked up by the segment before it. */
async function makePortalTargets(app: TestApp) {
  const companyId = await makeCompany(app.db);
  const { ids } = await makeOneOfEach(app, companyId);
  const admin = await makeUser(app, companyId);
  const client = await signIn(app, admin);
  const guest = await signIn(app, await makeUser(app, companyId, 'viewer'));
  const invited = await client.post('/users/invitations', { email: 'invited@example.com', role: 'viewer' });
  assert.equal(invited.status, 201);
  const { username } = await makeKey(app.db, companyId);
  const integration = ids['hr-integrations'];
  const known: Record<string, (string | number)[]> = {
    employees: [ids.employees, ...unknownIds],
    documents: [ids['employee-documents'], ...unknownIds],
    integrations: [integration, integration, integration, ...unknownIds],
    invitations: unknownIds,
    syncId: ['sample', 'no such sync'],
    token: [String(invited.body.data.link).split('/').at(-1) ?? '', `${companyId}.${'x'.repeat(43)}`],
    username: [username, 'tk_1_0123456789abcdef', 'x'],
    userId: [admin.id, '00000000-0000-4000-8000-000000000000', 'x'],
    period: ['2026-11-01', '0001-01-01', '9999-12-01'],
  };
  return { origin: new URL(app.config.publicUrl).origin, cookie: client.cookie, guestCookie: guest.cookie, known };
}

export async function makeTargets(app: TestApp): Promise<Targets> {
  const { db } = app;
  const portal = await makePortalTargets(app);
  const companyId = await makeCompany(db);
  const records = await makeOneOfEach(app, companyId);
  const employees = await makeEmployees(
    db,
    companyId,
    Array.from({ length: 25 }, () => anEmployee()),
  );
  const key = await makeKey(db, companyId);
  const lacking: [string, Credentials][] = [];
  for (const one of permissions)
    lacking.push([
      one,
      await makeKey(
        db,
        companyId,
        permissions.filter((other) => other !== one),
      ),
    ]);
  const pushable = await makeIntegration(db, companyId);
  const taken = 'taken';
  await push(app, key, pushable, taken);
  const { ids } = records;
  const existing: Record<string, number[]> = {
    employees: [ids.employees, ...employees],
    'employee-documents': [ids['employee-documents']],
    items: [ids.items],
    'hr-integrations': [ids['hr-integrations'], pushable],
  };
  const refusing: Record<string, number[]> = {
    triggerSync: await makeBlockedIntegrations(app, companyId),
    downloadDocument: [
      await makeDocument(db, companyId),
      await makeDocument(db, companyId, { employeeId: ids.employees, fileType: 'docx' }),
    ],
  };

  function idTargets({ name, path }: Operation, isPlain: boolean): fc.Arbitrary<Target> {
    const noun = /([a-z-]+)\/\{id\}/.exec(path)?.[1] ?? '';
    const spell = (id: number) => [String(id), String(id), `00${id}`];
    const all = (list: number[], rest: Partial<Target> = {}) =>
      fc.constantFrom(...list.flatMap(spell)).map((id): Target => ({ params: { id }, ...rest }));
    const found = all(name === 'triggerSync' ? [pushable] : (existing[noun] ?? []));
    if (isPlain) return found;
    const blocked = refusing[name] ?? [];
    return fc.oneof(
      { arbitrary: found, weight: 7 },
      { arbitrary: all(unknownIds, { expected: [404] }), weight: 1 },
      ...(blocked.length > 0 ? [{ arbitrary: all(blocked, { expected: [409] }), weight: 2 }] : []),
      ...(name === 'downloadDocument'
        ? [
            {
              arbitrary: found.map((one) => ({ ...one, headers: { 'if-none-match': '*' }, expected: [304] })),
              weight: 2,
            },
          ]
        : []),
    );
  }

  function apiTargets(operation: Operation, isPlain: boolean): fc.Arbitrary<Target> {
    const { path } = operation;
    const either = (known: Target, other: fc.Arbitrary<Target>) =>
      isPlain ? fc.constant(known) : fc.oneof(fc.constant(known), other);
    if (path.includes('{syncId}')) {
      const id = String(ids['hr-integrations']);
      const wrong = anyText(0, 200).map(
        (text): Target => ({ params: { id, syncId: encode(`?${text}`) }, expected: [404] }),
      );
      return either({ params: { id, syncId: 'sample' } }, wrong);
    }
    if (path.includes('{pass}')) {
      const wrong = fc.constant<Target>({ params: { pass: `${companyId}.${'x'.repeat(43)}` }, expected: [404] });
      return either({ params: { pass: records.pass } }, wrong);
    }
    if (path.includes('{id}')) return idTargets(operation, isPlain);
    const chargeType = operation.parameters.find(({ name }) => name === 'chargeType')?.schema.enum ?? [];
    if (!path.includes('{')) return fc.constant({ params: {} });
    return fc.record({
      params: fc.record({ period: firstOfMonth, chargeType: fc.constantFrom(...chargeType.map(String)) }),
    });
  }

  function portalTargets({ path }: Operation): fc.Arbitrary<Target> {
    const places = [...path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, before = '', name = '']) => {
      const known = portal.known[name === 'id' ? before : name];
      assert(known, `torture/generated-requests/targets.ts has nothing for {${name}} of ${path}; add it.`);
      return [name, fc.constantFrom(...known).map((value) => encode(String(value)))] as const;
    });
    return fc.record({ params: fc.record(Object.fromEntries(places)) });
  }

  return {
    key,
    lacking: Object.fromEntries(lacking) as Record<Permission, Credentials>,
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
