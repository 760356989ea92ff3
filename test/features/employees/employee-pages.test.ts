import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useApp } from '../../support/app.ts';
import { anEmployee, makeCompany, makeEmployees } from '../../support/factories.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';

const orders = ['id', 'createdAt', 'updatedAt', 'name', 'status', 'start', 'nextTicket'].flatMap((field) =>
  ['asc', 'desc'].map((order) => `sortField=${field}&sortOrder=${order}`),
);

interface Listed {
  ids: number[];
  total: number;
  previous: string | null;
  next: string | null;
}

describe('the pages of sorted employees in the portal', () => {
  const app = useApp();
  let company: CompanyId;
  let client: PortalClient;

  before(async () => {
    company = await makeCompany(app.db);
    client = await signIn(app, await makeUser(app, company));
    const names = ['Öz', 'ohm', 'Ohm', 'Zander', 'abel', 'Éclair', 'Muster'];
    const employees = Array.from({ length: 23 }, (_, index) => {
      const day = `2026-0${1 + (index % 3)}-01`;
      return anEmployee({
        first_name: index % 2 === 0 ? 'Anna' : 'Ben',
        last_name: names[index % names.length] ?? '',
        // Many equal values, and many that are missing.
        ...(index % 4 === 0 ? {} : { subscription_status: 'active', start_on: day, next_ticket_on: day }),
      });
    });
    await makeEmployees(app.db, company, employees);
  });

  const list = async (query: string): Promise<Listed> => {
    const { status, body } = await client.get(`/employees?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    const { data, total, previous, next } = body.data;
    return { ids: data.map(({ id }: { id: number }) => id), total, previous, next };
  };

  it('are the same by place and by number, forwards and backwards, in every order', async () => {
    for (const order of orders) {
      for (const filter of ['', '&search=anna', '&subscriptionStatuses=active']) {
        const query = `${order}${filter}&perPage=5`;
        const { ids: all } = await list(`${order}${filter}&perPage=100`);
        const pages: Listed[] = [await list(query)];
        for (let last = pages[0]; last?.next && last.ids.length === 5; last = pages.at(-1)) {
          pages.push(await list(`${query}&page=${pages.length + 1}&place=${last.next}`));
        }
        assert.deepEqual(
          pages.flatMap(({ ids }) => ids),
          all,
          query,
        );
        assert.ok(
          pages.every(({ total }) => total === all.length),
          query,
        );
        const [, second, third] = pages;
        assert.deepEqual((await list(`${query}&place=${third?.previous}`)).ids, second?.ids, query);
        assert.deepEqual((await list(`${query}&place=${second?.previous}`)).ids, pages[0]?.ids, query);
        assert.deepEqual((await list(`${query}&page=3`)).ids, third?.ids, query);
      }
    }
  });

  it('skip and repeat nobody when employees come and go between two pages', async () => {
    const query = 'sortField=name&sortOrder=asc&perPage=5';
    const first = await list(query);
    const { ids: expected } = await list(`${query}&page=2`);
    const [gone = 0] = first.ids;
    await sql`update employees set removed_at = now() where company_id = ${company} and id = ${gone}`.execute(app.db);
    try {
      assert.deepEqual((await list(`${query}&page=2&place=${first.next}`)).ids, expected);
      assert.notDeepEqual((await list(`${query}&page=2`)).ids, expected);
    } finally {
      await sql`update employees set removed_at = null where company_id = ${company} and id = ${gone}`.execute(app.db);
    }
  });

  it('follow their number if the address names no place of this order', async () => {
    const query = 'sortField=start&sortOrder=asc&perPage=5&page=2';
    const { ids, next } = await list(query);
    const { next: ofNames } = await list('sortField=name&sortOrder=asc&perPage=5');
    const forge = (...token: unknown[]) => Buffer.from(JSON.stringify(token)).toString('base64url');
    const wrong = [
      'x',
      ofNames,
      forge('start', 'asc', 'after', '2026-02-30', 1),
      forge('start', 'asc', 'after', "'; drop", 1),
      forge('start', 'asc', 'beside', null, 1),
      forge('start', 'asc', 'after', null, 1.5),
      forge('start', 'desc', 'after', null, 1),
      forge({}),
    ];
    for (const place of wrong) assert.deepEqual((await list(`${query}&place=${place}`)).ids, ids, String(place));
    assert.notDeepEqual((await list(`${query}&place=${next}`)).ids, ids);
    for (const field of ['createdAt', 'updatedAt', 'name', 'status', 'id']) {
      const place = forge(field, 'asc', 'after', '2026-11-14 99:99:99+00', 1);
      assert.equal((await client.get(`/employees?sortField=${field}&sortOrder=asc&place=${place}`)).status, 200, field);
    }
    assert.equal((await client.get('/employees?place=%00')).status, 400);
  });

  it('end with an empty page after the last employee', async () => {
    const { next } = await list('perPage=100');
    assert.deepEqual(await list(`perPage=100&place=${next}`), { ids: [], total: 23, previous: null, next: null });
  });
});
