import type { Static } from 'typebox';
import type { Day } from '../../domain/calendar.ts';
import { refuseBody } from '../../platform/http/errors.ts';
import { checkEntry } from '../roster/rules/entry.ts';
import type { NewEmployeeEntry } from './add.ts';
import type { NewEmployeeBody } from './contract.ts';

/** Stands for the HR id of an employee who has none. */
const noHrId = '-';

/** Returns the employee by the checks of a roster. Throws if they find a problem. */
export function readNewEmployee(body: Static<typeof NewEmployeeBody>, today: Day): NewEmployeeEntry {
  const { subscribe, hrId, ...given } = body;
  const id = hrId?.trim() || null;
  const value = { ...given, hrId: id ?? noHrId, autoSyncEmployee: subscribe ? true : null };
  const checked = checkEntry(value, 0, today.toString());
  if (checked.isValid) return { ...checked.entry, hrId: id };
  throw refuseBody(
    checked.problems.map(({ pointer, code, message }) => ({
      pointer: pointer.replace('/employees/0', ''),
      code,
      message,
    })),
  );
}
