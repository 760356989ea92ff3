import { type DocumentOwner, type DocumentType, documentTypes } from '../../../../src/domain/choices.ts';
import type { ListState } from '../../ui/list-state.ts';

const companyTypes: readonly DocumentType[] = ['invoice', 'credit-note', 'other'];

/** Returns the types that documents of this owner can have. */
export const typesOf = (owner: DocumentOwner) =>
  owner === 'company' ? companyTypes : documentTypes.filter((type) => type === 'other' || !companyTypes.includes(type));

const month = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Returns the filters in the address bar, which may contain anything. Omits values that the API would refuse. */
export function filtersOf(list: ListState) {
  const owner: DocumentOwner = list.text('owner') === 'company' ? 'company' : 'employees';
  const period = list.text('period');
  const employeeId = Number(list.text('employeeId'));
  return {
    owner,
    search: list.text('search').slice(0, 500),
    types: list.words('types', typesOf(owner)),
    period: month.test(period) && period >= '0001-02' ? `${period}-01` : undefined,
    employeeId: owner === 'employees' && Number.isSafeInteger(employeeId) && employeeId > 0 ? employeeId : undefined,
  };
}

const monthsOffered = 36;

/** Returns the last months, newest first, and the chosen one if it is another. Each as `2026-11`. */
export function listMonths(today: string, chosen: string | undefined): string[] {
  const [year = 0, monthOfYear = 1] = today.split('-').map(Number);
  const months = Array.from({ length: monthsOffered }, (_, before) => {
    const count = year * 12 + monthOfYear - 1 - before;
    return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`;
  });
  return chosen === undefined || months.includes(chosen) ? months : [...months, chosen];
}
