import { sql } from 'kysely';
import { asCompanyId, type CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { basic } from '../../test/support/app.ts';
import { makeKey } from '../../test/support/factories.ts';
import { period } from '../database.ts';
import type { Request } from '../processes/index.ts';

/** A company with its key and the ids of some of its employees. */
export interface Client {
  companyId: CompanyId;
  authorization: string;
  employees: number[];
}

export interface Read {
  name: string;
  /** The requests of one client. No two are the same, so that each can be sent while none is answered from memory. */
  paths(client: Client): Iterable<string>;
  walk: number;
  poll: number;
  notModified?: number;
}

function* pagesOf(perPage: number) {
  for (const sortField of ['id', 'createdAt', 'updatedAt']) {
    for (const sortOrder of ['asc', 'desc']) {
      for (let page = 1; page * perPage <= 900; page++) {
        yield `/employees?perPage=${perPage}&page=${page}&sortField=${sortField}&sortOrder=${sortOrder}`;
      }
    }
  }
}

const searched = 'anna emil clara olga jonas lena maja ruben frida ida karl greta'.split(' ');
const searchedNames = 'krause meier vogel keller frank roth beck simon winter stein otto'.split(' ');

export const reads: Read[] = [
  { name: '10 rows', paths: () => pagesOf(10), walk: 1.4, poll: 4, notModified: 6 },
  { name: '100 rows', paths: () => pagesOf(100), walk: 1.4, poll: 15 },
  {
    name: 'one employee',
    paths: ({ employees }) => employees.map((id) => `/employees/${id}`),
    walk: 1,
    poll: 1.8,
    notModified: 2.5,
  },
  {
    name: 'search of two words',
    *paths() {
      for (const first of searched) {
        for (const last of searchedNames) {
          yield `/employees?search=${first}%20${last}`;
          yield `/employees?search=${last}%20${first}`;
        }
      }
    },
    walk: 1.2,
    poll: 3,
  },
  {
    name: 'charges of a period',
    *paths() {
      for (let page = 1; page <= 90; page++) {
        for (const rest of ['', '&perPage=10']) {
          yield `/billing/items?period=${period}&chargeType=ticket-charge&page=${page}${rest}`;
          yield `/billing/items?chargeType=ticket-charge&period=${period}&page=${page}${rest}`;
        }
      }
    },
    walk: 1.2,
    poll: 3,
  },
  {
    name: 'integrations',
    *paths() {
      for (let perPage = 3; perPage <= 100; perPage++) {
        yield `/hr-integrations?perPage=${perPage}`;
        yield `/hr-integrations?perPage=${perPage}&page=1`;
        yield `/hr-integrations?page=1&perPage=${perPage}`;
      }
    },
    walk: 1.2,
    poll: 3,
  },
];

/** The small companies have equal sizes and come after the four with a given size. */
export async function makeClients(db: Db, count: number): Promise<Client[]> {
  const { rows } = await sql<{ company_id: number; employees: number[] }>`
    select s.company_id, (select array_agg(e.id) from (
      select e.id from employees e where e.company_id = s.company_id limit 900) e) as employees
    from bench_sizes s where s.company_id between 5 and ${4 + count} order by s.company_id`.execute(db);
  return Promise.all(
    rows.map(async ({ company_id, employees }) => ({
      companyId: asCompanyId(company_id),
      authorization: basic(await makeKey(db, asCompanyId(company_id))),
      employees,
    })),
  );
}

/** Lists requests of all clients in turn: the first of each, then the second of each, and so on. */
export function listRequests(clients: Client[], read: Read, most: number): Request[] {
  const all = clients.map((client) => ({ client, paths: read.paths(client)[Symbol.iterator]() }));
  const requests: Request[] = [];
  for (let isOver = false; !isOver && requests.length < most; ) {
    isOver = true;
    for (const { client, paths } of all) {
      const { value, done } = paths.next();
      if (done || requests.length >= most) continue;
      isOver = false;
      requests.push({ path: value, headers: { authorization: client.authorization } });
    }
  }
  return requests;
}
