import { sql } from 'kysely';
import { asCompanyId, type CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { basic } from '../../test/support/app.ts';
import { makeKey } from '../../test/support/factories.ts';
import { period } from '../database.ts';
import type { Request } from '../processes/index.ts';

export interface Client {
  companyId: CompanyId;
  authorization: string;
  employees: number[];
}

export interface Read {
  name: string;
  /** The requests of one client. No two are the same, so that each can be sent while none is answered from memory. */
  paths(client: Client): string[];
  walk: number;
  poll: number;
  notModified?: number;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const pagesOf = (perPage: number) =>
  ['id', 'createdAt', 'updatedAt'].flatMap((sortField) =>
    ['asc', 'desc'].flatMap((sortOrder) =>
      numbers(1, 900 / perPage).map(
        (page) => `/employees?perPage=${perPage}&page=${page}&sortField=${sortField}&sortOrder=${sortOrder}`,
      ),
    ),
  );

const searched = 'anna emil clara olga jonas lena maja ruben frida ida karl greta'.split(' ');
const searchedNames = 'krause meier vogel keller frank roth beck simon winter stein otto'.split(' ');

export const reads: Read[] = [
  { name: '10 rows', paths: () => pagesOf(10), walk: 3, poll: 4, notModified: 6 },
  { name: '100 rows', paths: () => pagesOf(100), walk: 2.5, poll: 15 },
  {
    name: 'one employee',
    paths: ({ employees }) => employees.map((id) => `/employees/${id}`),
    walk: 1.3,
    poll: 1.8,
    notModified: 2.5,
  },
  {
    name: 'search of two words',
    paths: () =>
      searched.flatMap((first) =>
        searchedNames.flatMap((last) => [
          `/employees?search=${first}%20${last}`,
          `/employees?search=${last}%20${first}`,
        ]),
      ),
    walk: 2,
    poll: 3,
  },
  {
    name: 'charges of a period',
    paths: () =>
      numbers(1, 90).flatMap((page) =>
        [`page=${page}`, `page=${page}&perPage=10`].flatMap((rest) => [
          `/billing/items?period=${period}&chargeType=ticket-charge&${rest}`,
          `/billing/items?chargeType=ticket-charge&period=${period}&${rest}`,
        ]),
      ),
    walk: 2.5,
    poll: 3,
  },
  {
    name: 'integrations',
    paths: () =>
      numbers(3, 100).flatMap((perPage) =>
        [`perPage=${perPage}`, `perPage=${perPage}&page=1`, `page=1&perPage=${perPage}`].map(
          (query) => `/hr-integrations?${query}`,
        ),
      ),
    walk: 2,
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

export function listRequests(clients: Client[], read: Read, most: number): Request[] {
  const all = clients.map((client) => ({
    headers: { authorization: client.authorization },
    paths: read.paths(client),
  }));
  const longest = Math.max(...all.map(({ paths }) => paths.length));
  const requests: Request[] = [];
  for (let turn = 0; turn < longest && requests.length < most; turn++) {
    for (const { headers, paths } of all) if (turn < paths.length) requests.push({ path: paths[turn] ?? '', headers });
  }
  return requests.slice(0, most);
}
