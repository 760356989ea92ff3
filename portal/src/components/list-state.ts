import { useSearchParams } from 'react-router';

export const pageSizes = [25, 50, 100] as const;

type Patch = Record<string, string | number | readonly string[] | null | undefined>;

const positive = (text: string | null, fallback: number) => {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : fallback;
};

/**
 * Stores the state of a list in the address bar, so that it survives a reload and can be sent to a colleague. Every
 * change except a change of page returns to the first page.
 */
export function useListState() {
  const [params, setParams] = useSearchParams();
  const perPage = positive(params.get('perPage'), pageSizes[0]);
  const order = params.get('sortOrder');
  return {
    page: positive(params.get('page'), 1),
    perPage: (pageSizes as readonly number[]).includes(perPage) ? perPage : pageSizes[0],
    sortField: params.get('sortField') ?? undefined,
    sortOrder: order === 'asc' || order === 'desc' ? order : undefined,
    text: (name: string) => params.get(name) ?? '',
    /** Returns only allowed words, because the address bar may contain anything. */
    words: <T extends string>(name: string, allowed: readonly T[]): T[] =>
      allowed.filter((word) => params.getAll(name).includes(word)),
    set(patch: Patch) {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (!('page' in patch)) next.delete('page');
          for (const [name, value] of Object.entries(patch)) {
            next.delete(name);
            for (const one of Array.isArray(value) ? value : [value]) {
              if (one !== null && one !== undefined && one !== '') next.append(name, String(one));
            }
          }
          return next;
        },
        { replace: !('page' in patch) },
      );
    },
  };
}

export type ListState = ReturnType<typeof useListState>;
