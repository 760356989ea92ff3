import { useSearchParams } from 'react-router';

export const pageSizes = [25, 50, 100] as const;

type Patch = Record<string, string | number | readonly string[] | null | undefined>;

const positive = (text: string | null, fallback: number) => {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : fallback;
};

const isDay = (text: string) => {
  const moment = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
};

/** The parameters that are no filters. */
const shape = new Set(['page', 'place', 'perPage', 'sortField', 'sortOrder', 'owner']);

const position = new Set(['page', 'place']);

/**
 * Stores the state of a list in the address bar, so that it survives a reload and can be sent to a colleague. Every
 * change except a change of page returns to the first page. `usualSort` counts while the address bar names no order.
 */
export function useListState(usualSort?: string) {
  const [params, setParams] = useSearchParams();
  const perPage = positive(params.get('perPage'), pageSizes[0]);
  const order = params.get('sortOrder');
  return {
    page: positive(params.get('page'), 1),
    /** Where the page begins or ends, in lists that know it. Without it, the number of the page counts. */
    place: /^[\w-]{1,2000}$/.test(params.get('place') ?? '') ? (params.get('place') ?? undefined) : undefined,
    perPage: (pageSizes as readonly number[]).includes(perPage) ? perPage : pageSizes[0],
    sortField: params.get('sortField') ?? usualSort,
    sortOrder: order === 'asc' || order === 'desc' ? order : undefined,
    text: (name: string) => params.get(name) ?? '',
    /** Returns only allowed words, because the address bar may contain anything. */
    words: <T extends string>(name: string, allowed: readonly T[]): T[] =>
      allowed.filter((word) => params.getAll(name).includes(word)),
    day(name: string): string | undefined {
      const text = params.get(name) ?? '';
      return isDay(text) ? text : undefined;
    },
    set(patch: Patch) {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          next.delete('place');
          if (!('page' in patch)) next.delete('page');
          for (const [name, value] of Object.entries(patch)) {
            next.delete(name);
            for (const one of Array.isArray(value) ? value : [value]) {
              if (one !== null && one !== undefined && one !== '') next.append(name, String(one));
            }
          }
          return next;
        },
        // Another page begins at its top. A filter leaves the list where it is.
        { replace: !('page' in patch) },
      );
    },
    isFiltered: [...params.keys()].some((name) => !shape.has(name)),
    /** Removes everything but the order and the size of a page. */
    clearFilters() {
      setParams(
        (before) => new URLSearchParams([...before].filter(([name]) => shape.has(name) && !position.has(name))),
        { replace: true },
      );
    },
    /** The state as the address bar shows it, without the page. */
    get address(): string {
      const next = new URLSearchParams(params);
      for (const name of position) next.delete(name);
      return next.toString();
    },
  };
}

export type ListState = ReturnType<typeof useListState>;
