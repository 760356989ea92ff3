import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { sql } from 'kysely';
import { makeEmployee } from '../../support/factories.ts';
import { createProcessedCompany, today, withOperatorCli } from '../../support/operator-cli.ts';

it('commands use the clock of the environment', () =>
  withOperatorCli(async ({ db, env, succeed }) => {
    const companyId = await createProcessedCompany(db);
    const employeeId = await makeEmployee(db, companyId);
    const file = join(env.DATA_DIR ?? '', 'contract.pdf');
    await writeFile(file, '%PDF-1.7');
    const owner = `--company ${companyId} --employee ${employeeId}`;
    const { id: documentId } = await succeed(`document add ${owner} --name Contract --file`, file);
    await succeed(`employee link ${owner} --hr-id X-17`);
    const { id } = await succeed(`integration create --company ${companyId} --name HR --type api-integration`);
    await succeed(`integration set ${id} --company ${companyId} --status inactive`);
    const { rows } = await sql<{ what: string; day: string }>`
      select 'document created' as what, created_at::date::text as day from documents where id = ${documentId}
      union all select 'document updated', updated_at::date::text from documents where id = ${documentId}
      union all select 'integration created', created_at::date::text from hr_integrations where id = ${id}
      union all select 'integration updated', updated_at::date::text from hr_integrations where id = ${id}
      union all select action, at::date::text from audit_log
        where company_id = ${companyId} and action in ('document.add', 'employee.link', 'integration.create', 'integration.set')
      order by 1`.execute(db);
    assert.deepEqual(
      rows.map(({ what, day }) => `${what} ${day}`),
      [
        'document created',
        'document updated',
        'document.add',
        'employee.link',
        'integration created',
        'integration updated',
        'integration.create',
        'integration.set',
      ].map((what) => `${what} ${today}`),
    );
  }));
