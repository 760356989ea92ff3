import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { makeCompany, makeEmployee, makeKey } from '../../support/factories.ts';

describe('Two processes that keep responses', () => {
  it('never answer with less than was committed before the request', async () => {
    const env = { PAGE_CACHE_MB: '8' };
    const app = await startTestApp({ env });
    const second = await startTestApp({ databaseUrl: app.databaseUrl, env });
    const companies = await Promise.all(
      [1, 2, 3].map(async () => {
        const id = await makeCompany(app.db);
        const employee = await makeEmployee(app.db, id, { first_name: '0' });
        return { id, employee, key: await makeKey(app.db, id), committed: 0 };
      }),
    );
    let isOver = false;
    const write = async (one: (typeof companies)[number]) => {
      for (let value = 1; value <= 150; value++) {
        await writeCompany(app.serviceDb, one.id, async (tx) => {
          await sql`update employees e set first_name = ${String(value)} where e.company_id = ${one.id}`.execute(tx);
        });
        one.committed = value;
      }
    };
    let reads = 0;
    const read = async (where: TestApp, one: (typeof companies)[number], path: string) => {
      while (!isOver) {
        const before = one.committed;
        const { body } = await where.request(path, { key: one.key });
        const employee = body.data.data?.[0] ?? body.data;
        assert(Number(employee.firstName) >= before, `${employee.firstName} after ${before} was committed`);
        reads++;
      }
    };
    try {
      const readers = [app, second].flatMap((where) =>
        companies.flatMap((one) => [read(where, one, '/employees'), read(where, one, `/employees/${one.employee}`)]),
      );
      await Promise.all(companies.map(write));
      isOver = true;
      await Promise.all(readers);
      assert(reads > 100, `${reads} reads`);
    } finally {
      isOver = true;
      await second.close();
      await app.close();
    }
  });
});
