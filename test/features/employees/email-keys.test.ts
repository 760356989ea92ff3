import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { emailKey } from '../../../src/domain/search.ts';
import { migrate } from '../../../src/platform/db/migrate.ts';
import { useApp } from '../../support/app.ts';
import { createOlderDatabase, type TestDatabase } from '../../support/database.ts';
import { anEntry, makePusher } from '../../support/sync.ts';

const nfc = 'jürgen@example.com';
const nfd = nfc.normalize('NFD');

describe('Addresses that differ only in Unicode normal form', () => {
  const app = useApp({ worker: 'without documents' });

  it('belong to one employee, whichever form the HR system sends', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('composed', [anEntry(1, { email: nfc })]);
    const { id } = await pusher.employee('E1');
    const sync = await pusher.sync('decomposed', [anEntry(1, { hrId: 'E2', email: nfd })]);
    assert.deepEqual([sync.counts.created, sync.counts.updated], [0, 1]);
    assert.deepEqual(
      (await pusher.employees()).map((employee) => [employee.id, employee.email]),
      [[id, nfd]],
    );
    const found = await pusher.get(`/employees?emails=${encodeURIComponent(nfc.toUpperCase())}`);
    assert.equal(found.body.data.total, 1);
  });

  it('count as duplicates in one roster', async () => {
    const pusher = await makePusher(app);
    const { status, body } = await pusher.push('twice', [anEntry(1, { email: nfc }), anEntry(2, { email: nfd })]);
    assert.equal(status, 422);
    assert.equal(body.errors[0].code, 'duplicate-email');
  });

  it('stored by an older version are normalized by the next sync', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('first', [anEntry(1, { email: nfd })]);
    const key = () =>
      sql<{ email_key: string }>`select email_key from employees where company_id = ${pusher.companyId}`.execute(
        app.db,
      );
    await sql`update employees set email_key = ${nfd} where company_id = ${pusher.companyId}`.execute(app.db);
    const { counts } = await pusher.sync('second', [anEntry(1, { email: nfd })]);
    assert.equal(counts.unchanged, 1);
    assert.deepEqual((await key()).rows, [{ email_key: nfc }]);
  });
});

describe('The migration of email keys', () => {
  let older: TestDatabase;
  before(async () => {
    older = await createOlderDatabase('0009');
    await sql`insert into companies (name, lived_through) values ('One', '2026-11-14'), ('Other', '2026-11-14')`.execute(
      older.db,
    );
  });
  after(() => older.drop());

  /** Inserts employees as earlier versions wrote them. */
  async function insert(companyId: number, emails: string[], isRemoved = false): Promise<number[]> {
    const rows = emails.map((email) => ({ email, key: email.trim().toLowerCase() }));
    const inserted = await sql<{ id: number }>`
      insert into employees (company_id, first_name, last_name, email, email_key, search_text, plan_type, removed_at)
      select ${companyId}, 'A', 'B', r.email, r.key, '', 'fully-subsidized-plan', ${isRemoved ? '2026-11-01' : null}::timestamptz
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(email text, key text) returning id`.execute(older.db);
    return inserted.rows.map((row) => row.id);
  }

  it('folds them as the service does, and merges nobody', async () => {
    const letters = Array.from({ length: 0xffff }, (_, code) => String.fromCodePoint(code)).filter(
      (letter) =>
        /[\p{L}--\p{Script=Hangul}]/v.test(letter) &&
        (letter !== letter.toLowerCase() || letter !== letter.normalize('NFD')),
    );
    await insert(
      1,
      [...letters, ...'µſςϐϑϕϖϰϱϵẛ'].map((letter, index) => `a${letter.normalize('NFD')}${index}@example.com`),
    );
    const [composed, decomposed, upper] = await insert(1, [nfc, nfd, nfd.toUpperCase().replace('U', 'ſ\u0323u')]);
    const [ofOther] = await insert(2, [nfd]);
    const [gone] = await insert(2, [nfd], true);
    await migrate(older.db);
    const { rows } = await sql<{ id: number; email: string; email_key: string }>`
      select id, email, email_key from employees`.execute(older.db);
    const wrong = rows.filter((row) => row.email_key !== emailKey(row.email));
    assert.deepEqual(wrong, [{ id: decomposed, email: nfd, email_key: nfd }]);
    for (const id of [upper, ofOther, gone]) assert(rows.some((row) => row.id === id));
    const { rows: audited } = await sql`select company_id, target, detail from audit_log
      where action = 'employee.email-clash'`.execute(older.db);
    assert.deepEqual(audited, [{ company_id: 1, target: String(decomposed), detail: { holderId: composed } }]);
  });
});
