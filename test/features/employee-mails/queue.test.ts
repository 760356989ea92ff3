import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { EmployeeMailKind } from '../../../src/domain/enums.ts';
import { createEmployeeMails, nameEmployeeMail, noEmployeeMails } from '../../../src/features/employee-mails/queue.ts';
import {
  changeEmployeeLanguage,
  changeMailSwitches,
  readEmployeeLanguage,
  readMailSwitches,
} from '../../../src/features/employee-mails/switches.ts';
import { createEncryption } from '../../../src/platform/crypto/encryption.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany, makeEmployee } from '../../support/factories.ts';
import { updateRows } from '../../support/rows.ts';

const encryption = createEncryption('a secret of at least thirty-two characters');

describe('Mails to employees', () => {
  const app = useApp();
  let companyId: CompanyId;
  before(async () => {
    companyId = await makeCompany(app.db);
  });
  const mails = () => createEmployeeMails({ isConfigured: true, encryption, queue: app.deps.queue });
  const link = (employeeId: number, occasion: string) => ({
    ...{ employeeId, kind: 'access-link' as const, occasion },
    values: { url: 'https://benefits.example/my/enter#T', expiresAt: '2026-12-01T11:00:00Z' },
  });
  const ticket = (employeeId: number, month = '2026-12') => ({
    ...{ employeeId, kind: 'ticket' as const, occasion: month, values: { month } },
  });
  type Queued = Parameters<ReturnType<typeof mails>['queue']>[2];
  const queue = (some: Queued, writer = mails()) =>
    writeCompany(app.serviceDb, companyId, (tx) => writer.queue(tx, companyId, some));
  const listMails = (employeeId: number) =>
    app.db
      .selectFrom('employee_mails')
      .select(['recipient', 'language', 'encrypted_values'])
      .where('company_id', '=', companyId)
      .where('employee_id', '=', employeeId)
      .orderBy('occasion')
      .execute();

  it('are written once per employee, kind and occasion, also by two at the same time', async () => {
    const [one, other] = [await makeEmployee(app.db, companyId), await makeEmployee(app.db, companyId)];
    assert.equal(await queue([link(one, 'a'), link(other, 'a')]), 2);
    const written = await Promise.all([1, 2, 3].map(() => queue([link(one, 'a'), link(one, 'b')])));
    assert.deepEqual(written.sort(), [0, 0, 1]);
    assert.equal((await listMails(one)).length, 2);
  });

  it('keep their values encrypted, bound to the row', async () => {
    const id = await makeEmployee(app.db, companyId, { email: 'ada@example.com' });
    await queue([link(id, 'a')]);
    const [mail] = await listMails(id);
    assert.equal(mail?.recipient, 'ada@example.com');
    const name = nameEmployeeMail(companyId, { employeeId: id, kind: 'access-link', occasion: 'a' });
    assert.deepEqual(JSON.parse(encryption.decrypt(mail?.encrypted_values ?? '', name)), link(id, 'a').values);
    const other = nameEmployeeMail(companyId, { employeeId: id, kind: 'access-link', occasion: 'b' });
    assert.throws(() => encryption.decrypt(mail?.encrypted_values ?? '', other));
  });

  it('are in the language of the employee, or else of the company', async () => {
    const id = await makeEmployee(app.db, companyId);
    const language = () => readEmployeeLanguage(app.serviceDb, companyId, id);
    assert.deepEqual(await language(), { language: 'de', isChosen: false });
    await queue([link(id, 'a')]);
    await writeCompany(app.serviceDb, companyId, (tx) => changeEmployeeLanguage(tx, companyId, id, 'en'));
    assert.deepEqual(await language(), { language: 'en', isChosen: true });
    await queue([link(id, 'b')]);
    assert.deepEqual(
      (await listMails(id)).map((mail) => mail.language),
      ['de', 'en'],
    );
  });

  it('are not written if the employee has switched them off, except what they need', async () => {
    const id = await makeEmployee(app.db, companyId);
    const change = (kind: EmployeeMailKind, isOn: boolean) =>
      writeCompany(app.serviceDb, companyId, (tx) => changeMailSwitches(tx, companyId, id, [{ kind, isOn }]));
    const listOff = async () =>
      (await readMailSwitches(app.serviceDb, companyId, id)).filter(({ isOn }) => !isOn).map(({ kind }) => kind);
    for (const isOn of [false, false, true, false]) await change('ticket', isOn);
    await change('access-link', false);
    assert.deepEqual(await listOff(), ['ticket']);
    assert.equal(await queue([link(id, 'a'), ticket(id)]), 1);
    await change('invitation-reminder', false);
    assert.deepEqual(await listOff(), ['invitation', 'invitation-reminder', 'ticket']);
    await change('invitation', true);
    assert.deepEqual(await listOff(), ['ticket']);
  });

  it('are not written if the company has switched the kind off', async () => {
    const id = await makeEmployee(app.db, companyId);
    await updateRows(app.db, 'companies', { id: companyId }, { switched_off_mails: ['ticket'] });
    assert.equal(await queue([ticket(id)]), 0);
    const offered = (await readMailSwitches(app.serviceDb, companyId, id)).map(({ kind }) => kind);
    assert.deepEqual(offered, ['invitation', 'invitation-reminder']);
    await updateRows(app.db, 'companies', { id: companyId }, { switched_off_mails: [] });
    assert.equal(await queue([ticket(id)]), 1);
  });

  it('are not written to somebody of another company, to the removed only if needed, and not without a mail server', async () => {
    const stranger = await makeEmployee(app.db, await makeCompany(app.db));
    assert.equal(await queue([link(stranger, 'a')]), 0);
    const removed = await makeEmployee(app.db, companyId, { removed_at: '2026-01-01' });
    assert.equal(await queue([ticket(removed), link(removed, 'a')]), 1);
    assert.equal(await queue([link(removed, 'b')], noEmployeeMails), 0);
  });
});
