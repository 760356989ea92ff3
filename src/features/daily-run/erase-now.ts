import { ofCompany } from '../../platform/db/company-scope.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import type { EngineContext } from '../context.ts';
import { eraseEmployees } from '../employees/erase.ts';
import { lockAndCatchUp } from './run.ts';

export const eraseNow = ({ db, companyId, ...deps }: EngineContext, { employee: id }: { employee: number }) =>
  writeCompany(db, companyId, async (tx) => {
    await lockAndCatchUp(tx, deps, companyId);
    const employee = await tx
      .selectFrom('employees as e')
      .select('e.removed_at')
      .where(ofCompany(companyId, 'e'))
      .where('e.id', '=', id)
      .executeTakeFirst();
    if (employee === undefined) throw notFound('employee');
    if (employee.removed_at === null) {
      const detail = `Employee ${id} of company ${companyId} is not removed yet: remove them from the roster first.`;
      throw new ApiError('decision-refused', detail);
    }
    const documents = await eraseEmployees(tx, deps.queue, companyId, [id]);
    await insertAudit(tx, companyId, { action: 'employee.erase', target: String(id), at: deps.clock.now() });
    return { employeeId: id, documents };
  });
