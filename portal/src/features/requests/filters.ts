import { statusClasses } from '../../../../src/domain/choices.ts';
import type { ListState } from '../../ui/list-state.ts';

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the filters in the address bar, which may contain anything. Omits values that the API would refuse. */
export function filtersOf(list: ListState) {
  const requestId = list.text('requestId').trim().toLowerCase();
  return {
    key: list.text('key') || undefined,
    statusClasses: list.words('statusClasses', statusClasses),
    method: list.words('method', methods)[0],
    path: list.text('path').slice(0, 200) || undefined,
    requestId: uuid.test(requestId) ? requestId : undefined,
    from: list.day('from'),
    to: list.day('to'),
  };
}
