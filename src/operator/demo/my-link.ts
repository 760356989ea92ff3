import { createAccessLink } from '../../features/employee-access/links.ts';
import { selectEmployeeIds } from '../../features/employees/find-employee.ts';
import { parseUsername } from '../../features/keys/credentials.ts';
import { writeCompany } from '../../platform/db/write.ts';
import type { Service } from '../../processes/service.ts';
import type { DemoAccess } from './access-file.ts';

/** Creates a link to the page of an employee with a ticket. Undefined if the demo has none left. */
export async function createDemoLink(
  { db, clock, publicUrl }: Pick<Service, 'db' | 'clock' | 'publicUrl'>,
  { key }: Partial<DemoAccess>,
): Promise<string | undefined> {
  const companyId = key && parseUsername(key.username)?.companyId;
  if (companyId === undefined) return undefined;
  const [employeeId] = await selectEmployeeIds(db, companyId, { subscriptionStatuses: ['active'] });
  if (employeeId === undefined) return undefined;
  const by = { actor: { type: 'operator', name: null }, at: clock.now() } as const;
  return writeCompany(db, companyId, (tx) =>
    createAccessLink(tx, { config: { publicUrl } }, { companyId, employeeId, by }),
  );
}
