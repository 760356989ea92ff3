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
import { makeOneOfEach } from '../../test/support/records.ts';

/** A company with something for every operation to find, and with everything that makes an operation refuse. */
export interface Targets {
  companyId: CompanyId;
  key: Credentials;
  /** Keys with every permission but one. */
  lacking: Record<Permission, Credentials>;
  ids: Record<'employees' | 'employee-documents' | 'items' | 'hr-integrations', number[]>;
  /** A document without a file. */
  notDownloadable: number[];
  /** An integration that accepts rosters. The `blocked` ones do not. */
  pushable: number;
  blocked: number[];
  /** A sync of an integration. `taken` is the syncId of a sync of `pushable`. */
  sync: { integration: number; syncId: string };
  taken: string;
  pass: string;
}

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
  if (status !== 204) throw new Error(`The first roster was answered ${status}.`);
}

export async function makeTargets(app: TestApp): Promise<Targets> {
  const { db } = app;
  const companyId = await makeCompany(db);
  const records = await makeOneOfEach(app, companyId);
  const crowd = await makeEmployees(
    db,
    companyId,
    Array.from({ length: 25 }, () => anEmployee()),
  );
  const key = await makeKey(db, companyId);
  const lacking: [Permission, Credentials][] = [];
  for (const permission of permissions) {
    const rest = permissions.filter((other) => other !== permission);
    lacking.push([permission, await makeKey(db, companyId, rest)]);
  }
  const pushable = await makeIntegration(db, companyId);
  const taken = 'taken';
  await push(app, key, pushable, taken);
  return {
    companyId,
    key,
    lacking: Object.fromEntries(lacking) as Record<Permission, Credentials>,
    ids: {
      employees: [records.ids.employees, ...crowd],
      'employee-documents': [records.ids['employee-documents']],
      items: [records.ids.items],
      'hr-integrations': [records.ids['hr-integrations'], pushable],
    },
    notDownloadable: [
      await makeDocument(db, companyId),
      await makeDocument(db, companyId, { employeeId: records.ids.employees, fileType: 'docx' }),
    ],
    pushable,
    blocked: await makeBlockedIntegrations(app, companyId),
    sync: { integration: records.ids['hr-integrations'], syncId: 'sample' },
    taken,
    pass: records.pass,
  };
}
