import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createLetterCodes, type LetterCode } from '../../../src/features/employee-access/letters.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany, makeEmployee, makeIntegration } from '../../support/factories.ts';
import { myClient } from '../../support/my.ts';
import { pluck } from '../../support/pluck.ts';
import { cookiesOf } from '../../support/portal.ts';
import { rowsOf, updateRows } from '../../support/rows.ts';

describe('the code of a letter', () => {
  const app = useApp();
  let company: CompanyId;
  let integration: number;
  before(async () => {
    company = await makeCompany(app.db, 'Acme');
    integration = await makeIntegration(app.db, company);
  });

  let next = 0;
  async function makeLetter(): Promise<LetterCode> {
    const employeeId = await makeEmployee(app.db, company);
    next += 1;
    await app.db
      .insertInto('hr_links')
      .values({ company_id: company, employee_id: employeeId, hr_integration_id: integration, hr_id: `P-0${next}a` })
      .execute();
    return write([employeeId]);
  }
  const write = async (ids: number[]) => {
    const letters = await writeCompany(app.serviceDb, company, (tx) => createLetterCodes(tx, company, ids, {}));
    assert.equal(letters.length, ids.length);
    return letters[0] as LetterCode;
  };
  const enter = (hrId: string, code: string, companyId: number = company) =>
    myClient(app).post('/access/letter', { companyId, hrId, code });
  const wrong = '00000-00000';

  it('lets in once, however it is typed', async () => {
    const { employeeId, hrId, code } = await makeLetter();
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    const typed = ` ${code.toLowerCase().replace('-', ' – ')} `.replace(/^ (.)(.*) $/, '$1 $2').replaceAll('0', 'o');
    const opened = await enter(hrId.toLowerCase().replace('-', ' '), typed);
    assert.equal(opened.status, 204, opened.bytes.toString());
    const { data } = (await myClient(app, cookiesOf(opened)).get('/session')).body;
    assert.equal(data.company.name, 'Acme');
    assert.equal((await enter(hrId, code)).status, 401);
    const entries = await rowsOf(app.db, 'audit_log', { company_id: company, actor_type: 'employee' }, [
      'action',
      'target',
    ]);
    assert.deepEqual(entries, [{ action: 'employee.sign-in', target: String(employeeId) }]);
  });

  it('is replaced by that of a new letter, and expires', async () => {
    const { employeeId, hrId, code } = await makeLetter();
    const renewed = await write([employeeId]);
    assert.equal((await enter(hrId, code)).status, 401);
    await updateRows(
      app.db,
      'employee_letter_codes',
      { company_id: company, employee_id: employeeId },
      { expires_at: '2020-01-01T00:00:00Z' },
    );
    assert.equal((await enter(hrId, renewed.code)).status, 401);
    const last = await write([employeeId]);
    assert.equal((await enter(hrId, last.code)).status, 204);
  });

  it('is the same for everything that is wrong', async () => {
    const { hrId, code } = await makeLetter();
    const other = await makeCompany(app.db);
    const responses = [
      await enter(hrId, wrong),
      await enter('unknown', wrong),
      await enter('unknown', code),
      await enter(hrId, code, other),
      await enter(hrId, code, 999_999_999),
    ];
    const [first] = responses;
    for (const { status, body, headers } of responses) {
      assert.equal(status, 401);
      assert.deepEqual({ ...body, requestId: undefined }, { ...first?.body, requestId: undefined });
      assert.equal(headers.get('set-cookie'), null);
    }
    assert.equal((await enter(hrId, code)).status, 204);
  });

  it('has five attempts, also at the same time', async () => {
    const { employeeId, hrId, code } = await makeLetter();
    const responses = await Promise.all(Array.from({ length: 12 }, () => enter(hrId, wrong)));
    assert.deepEqual(new Set(pluck(responses, 'status')), new Set([401]));
    const [row] = await app.db
      .selectFrom('employee_letter_codes')
      .select('attempts')
      .where('employee_id', '=', employeeId)
      .execute();
    assert.equal(row?.attempts, 5);
    assert.equal((await enter(hrId, code)).status, 401);
  });

  it('is right at the fifth attempt', async () => {
    const { hrId, code } = await makeLetter();
    for (let count = 0; count < 4; count += 1) assert.equal((await enter(hrId, wrong)).status, 401);
    assert.equal((await enter(hrId, code)).status, 204);
  });

  it('lets in one of several who use it at the same time', async () => {
    const { hrId, code } = await makeLetter();
    const responses = await Promise.all([1, 2, 3, 4].map(() => enter(hrId, code)));
    assert.deepEqual(pluck(responses, 'status').sort(), [204, 401, 401, 401]);
  });

  it('is not made for employees who were removed', async () => {
    const id = await makeEmployee(app.db, company, { removed_at: '2026-11-01T00:00:00Z' });
    const letters = await writeCompany(app.serviceDb, company, (tx) => createLetterCodes(tx, company, [id], {}));
    assert.deepEqual(letters, []);
  });
});

describe('attempts at letters', () => {
  const app = useApp({ env: { RATE_LIMIT_PER_MINUTE: '300' } });

  it('are limited per network, without those that succeed', async () => {
    const company = await makeCompany(app.db);
    const attempt = () => myClient(app).post('/access/letter', { companyId: company, hrId: '1', code: 'x' });
    for (let count = 0; count < 20; count += 1) assert.equal((await attempt()).status, 401);
    const refused = await attempt();
    assert.equal(refused.body.code, 'sign-in-throttled');
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  });
});
