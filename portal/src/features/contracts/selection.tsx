import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useReader } from '../../app/i18n/reader.ts';
import type { Column } from '../../ui/rows.tsx';
import type { Selection } from './api.ts';
import { texts } from './texts.ts';

/**
 * Holds which employees are selected: single ones, across pages, or all that match the filters. Another filter ends the
 * selection of all.
 */
export function useEmployeeSelection(filters: Record<string, string | number | readonly string[]>, total: number) {
  // Only what narrows the list.
  const filter = Object.fromEntries(
    Object.entries(filters).filter(([, value]) => typeof value === 'number' || value.length > 0),
  );
  const key = JSON.stringify(filter);
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [allOf, setAllOf] = useState<string>();
  const isAll = allOf === key;
  const selection: Selection = isAll
    ? { filter: filter as NonNullable<Selection['filter']> }
    : { employeeIds: [...ids] };
  return {
    selection,
    isAll,
    count: isAll ? total : ids.size,
    has: (id: number) => isAll || ids.has(id),
    toggle: (id: number) => setIds(ids.symmetricDifference(new Set([id]))),
    setMany: (many: readonly number[], isSelected: boolean) =>
      setIds(isSelected ? ids.union(new Set(many)) : ids.difference(new Set(many))),
    selectAll: () => setAllOf(key),
    clear() {
      setIds(new Set());
      setAllOf(undefined);
    },
  };
}

export type EmployeeSelection = ReturnType<typeof useEmployeeSelection>;

/** The column with which users select employees. */
export function useSelectColumn<T extends { firstName: string; lastName: string }>(
  selected: EmployeeSelection,
  rows: readonly T[],
  idOf: (row: T) => number,
): Column<T> {
  const { t } = useReader(texts);
  const chosen = rows.filter((row) => selected.has(idOf(row))).length;
  const isWhole = rows.length > 0 && chosen === rows.length;
  return {
    header: t('select'),
    head: (
      <Checkbox
        aria-label={t('selectPage')}
        checked={isWhole}
        indeterminate={chosen > 0 && !isWhole}
        disabled={selected.isAll || rows.length === 0}
        onChange={() => selected.setMany(rows.map(idOf), !isWhole)}
      />
    ),
    render: (row) => (
      <Checkbox
        aria-label={t('selectEmployee', { name: `${row.firstName} ${row.lastName}` })}
        checked={selected.has(idOf(row))}
        disabled={selected.isAll}
        onChange={() => selected.toggle(idOf(row))}
      />
    ),
  };
}
