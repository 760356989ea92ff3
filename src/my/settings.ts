import { insertAudit } from '../features/activity/record.ts';
import {
  changeEmployeeLanguage,
  changeMailSwitches,
  readEmployeeLanguage,
  readMailSwitches,
} from '../features/employee-mails/switches.ts';
import { myRoutes } from '../features/my-route.ts';
import type { CompanyId } from '../platform/db/company-scope.ts';
import type { Db } from '../platform/db/database.ts';
import { type MySettings, MySettingsBody, MySettingsSchema } from './contract.ts';

/** Mails are on as long as the employee wants any of those that their company sends. */
async function readSettings(db: Db, companyId: CompanyId, employeeId: number): Promise<MySettings> {
  const { language } = await readEmployeeLanguage(db, companyId, employeeId);
  const switches = await readMailSwitches(db, companyId, employeeId);
  return { language, mails: switches.length === 0 || switches.some(({ isOn }) => isOn) };
}

/** Lets employees choose their language, and whether they get mails that are not needed. */
export const ownSettingsRoutes = myRoutes((route, { db }) => {
  route('GET /settings', {
    summary: 'Get my settings',
    access: 'employee',
    data: MySettingsSchema,
    handle: ({ employee: { companyId, employeeId } }) => readSettings(db, companyId, employeeId),
  });

  route('POST /settings', {
    summary: 'Change my settings',
    access: 'employee',
    body: MySettingsBody,
    data: MySettingsSchema,
    handle: ({ employee: { companyId, employeeId }, body, by: { actor, at }, write }) =>
      write(async (tx) => {
        const before = await readSettings(tx, companyId, employeeId);
        const after = { ...before, ...body };
        if (body.language !== undefined) await changeEmployeeLanguage(tx, companyId, employeeId, body.language);
        if (after.mails !== before.mails) {
          const switches = await readMailSwitches(tx, companyId, employeeId);
          const wanted = switches.map(({ kind }) => ({ kind, isOn: after.mails }));
          await changeMailSwitches(tx, companyId, employeeId, wanted);
        }
        const changes = (['language', 'mails'] as const).flatMap((field) =>
          before[field] === after[field] ? [] : [{ field, from: before[field], to: after[field] }],
        );
        if (changes.length > 0) {
          const entry = { action: 'employee.settings', target: String(employeeId), detail: { changes }, actor, at };
          await insertAudit(tx, companyId, entry);
        }
        return readSettings(tx, companyId, employeeId);
      }),
  });
});
