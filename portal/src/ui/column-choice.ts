import type { Column } from './DataTable.tsx';
import { isTexts, useStoredValue } from './stored-value.ts';

/** Stores which columns of a table the user has hidden, in this browser. */
export function useColumnChoice<T>(name: string, columns: readonly Column<T>[]) {
  const [hidden, setHidden] = useStoredValue<string[]>(`columns ${name}`, [], isTexts);
  const isHidden = (id: string) => hidden.includes(id);
  return {
    shown: columns.filter(({ id }) => id === undefined || !isHidden(id)),
    /** The columns that can be hidden. */
    choices: columns.flatMap(({ id, header }) => (id === undefined ? [] : [{ id, header, isShown: !isHidden(id) }])),
    hidden,
    setHidden,
    toggle: (id: string) => setHidden(isHidden(id) ? hidden.filter((one) => one !== id) : [...hidden, id]),
  };
}

export type ColumnState = Pick<
  ReturnType<typeof useColumnChoice<never>>,
  'choices' | 'hidden' | 'setHidden' | 'toggle'
>;
