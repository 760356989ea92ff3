import { createReadStream } from 'node:fs';
import { sql } from 'kysely';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { recognizeHeadings } from '../../platform/table/headings.ts';
import { readTable } from '../../platform/table/read-table.ts';

/** Returns the HR ids in the column of a table that contains them. */
async function readHrIds(path: string): Promise<string[]> {
  try {
    const { headings, rows } = await readTable(createReadStream(path));
    const index = recognizeHeadings(headings.cells).indexOf('hrId');
    if (index < 0) throw new OperatorError(`${path} has no column with HR ids, such as hrId or Personalnummer.`);
    const hrIds: string[] = [];
    for await (const { cells } of rows) if (cells[index]) hrIds.push(cells[index]);
    return hrIds;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Returns the employees whose HR ids are in a file. Throws if one is unknown or ambiguous, before anything is done. */
export async function findEmployeesOfFile(db: Db, companyId: CompanyId, path: string): Promise<number[]> {
  const hrIds = await readHrIds(path);
  const { rows } = await sql<{ hrId: string; employeeId: number }>`
    select distinct k.hr_id as "hrId", k.employee_id as "employeeId" from hr_links k
    join employees e on ${ofCompany(companyId, 'e')} and e.id = k.employee_id and e.removed_at is null
    where ${ofCompany(companyId, 'k')} and k.hr_id = any(${hrIds})`.execute(db);
  const found = Map.groupBy(rows, ({ hrId }) => hrId);
  const wrong = hrIds.filter((hrId) => found.get(hrId)?.length !== 1);
  if (wrong.length > 0) {
    const some = wrong.slice(0, 5).join(', ');
    throw new OperatorError(
      `${wrong.length} of the HR ids belong to no employee or to several, such as ${some}. Nothing was decided.`,
    );
  }
  return rows.map(({ employeeId }) => employeeId);
}
