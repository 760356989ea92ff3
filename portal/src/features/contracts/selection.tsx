import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Employee } from '../../../../src/features/employees/contract.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import type { Column } from '../../ui/DataTable.tsx';
import type { Selection } from './api.ts';
import { texts } from './texts.ts';

type Filter = NonNullable<Selection['filter']>;

/** Returns only what narrows the list. */
const withoutEmpty = (filter: Record<string, string | readonly string[]>) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value.length > 0)) as Filter;

/**
 * Holds which employees are selected: single ones, across pages, or all that match the filters. Another filter ends the
 * selection of all.
 */
export function useEmployeeSelection(filters: Record<string, string | readonly string[]>, total: number) {
  const filter = withoutEmpty(filters);
  const key = JSON.stringify(filter);
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [allOf, setAllOf] = useState<string>();
  const isAll = allOf === key;
  const toggle = (id: number) => {
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    setIds(next);
  };
  const selection: Selection = isAll ? { filter } : { employeeIds: [...ids] };
  return {
    selection,
    isAll,
    count: isAll ? total : ids.size,
    has: (id: number) => isAll || ids.has(id),
    toggle,
    add: (more: readonly number[]) => setIds(new Set([...ids, ...more])),
    selectAll: () => setAllOf(key),
    clear() {
      setIds(new Set());
      setAllOf(undefined);
    },
  };
}

export type EmployeeSelection = ReturnType<typeof useEmployeeSelection>;

/** The column with which users select employees. */
export function useSelectColumn(selected: EmployeeSelection): Column<Employee> {
  const t = useTexts(texts);
  return {
    header: t('select'),
    render: ({ id, firstName, lastName }) => (
      <Checkbox
        aria-label={t('selectEmployee', { name: `${firstName} ${lastName}` })}
        checked={selected.has(id)}
        disabled={selected.isAll}
        onChange={() => selected.toggle(id)}
      />
    ),
  };
}
