import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';
import { emailKey, searchText } from '../src/domain/search.ts';
import type { RosterEntry } from '../src/features/roster/rules/entry.ts';

/** Plain SQL that does the minimum, in the same tables with all their indexes. Folding and parsing are not counted. */
const columns = 'hr_id, first_name, last_name, email, email_key, search_text, date_of_birth, employed_from';

const createStaging = `create table if not exists bench_staging (hr_id text, first_name text, last_name text, email text,
  email_key text, search_text text, date_of_birth date, employed_from date)`;

const insertAll = `
  with added as (
    insert into employees (company_id, first_name, last_name, email, email_key, search_text, date_of_birth,
      employed_from, plan_type)
    select $1, s.first_name, s.last_name, s.email, s.email_key, s.search_text, s.date_of_birth, s.employed_from,
      'fully-subsidized-plan' from bench_staging s
    returning id, email_key
  )
  insert into hr_links (company_id, employee_id, hr_integration_id, hr_id)
  select $1, a.id, $2, s.hr_id from added a join bench_staging s using (email_key)`;

const compareAll = `
  select count(*) from bench_staging s
  left join hr_links l on l.company_id = $1 and l.hr_integration_id = $2 and l.hr_id = s.hr_id
  left join employees e on e.company_id = $1 and e.id = l.employee_id
  where (e.first_name, e.last_name, e.email, e.date_of_birth, e.employed_from) is distinct from
    (s.first_name, s.last_name, s.email, s.date_of_birth, s.employed_from)`;

const escapeField = (text: string) =>
  text.replace(/[\\\n\t]/g, (character) => ({ '\n': '\\n', '\t': '\\t' })[character] ?? '\\\\');

const toLine = ({ hrId, firstName, lastName, email, dateOfBirth, startDate }: RosterEntry) =>
  [hrId, firstName, lastName, email, emailKey(email), searchText(firstName, lastName, email), dateOfBirth, startDate]
    .map((value) => (value == null ? '\\N' : escapeField(value)))
    .join('\t');

export async function measureBaseline(
  url: string,
  { companyId, integrationId }: { companyId: number; integrationId: number },
  entries: RosterEntry[],
) {
  const rows = Buffer.from(`${entries.map(toLine).join('\n')}\n`);
  const sql = postgres(url, { max: 1, onnotice() {} });
  const time = async (statement: string) => {
    await sql.unsafe(`${createStaging}; truncate bench_staging`);
    const begun = performance.now();
    const found = await sql.begin(async (tx) => {
      await pipeline(Readable.from([rows]), await tx.unsafe(`copy bench_staging (${columns}) from stdin`).writable());
      return tx.unsafe(statement, [companyId, integrationId]);
    });
    return { ms: performance.now() - begun, found };
  };
  try {
    const { ms: firstMs } = await time(insertAll);
    // Without statistics of the new rows, PostgreSQL sometimes compares each one with all others, for many minutes.
    await sql`analyze employees, hr_links`;
    const { ms: repeatedMs, found } = await time(compareAll);
    if (Number(found[0]?.count) !== 0) throw new Error(`${found[0]?.count} differ where none should.`);
    await sql`drop table bench_staging`;
    return { firstMs, repeatedMs };
  } finally {
    await sql.end();
  }
}
