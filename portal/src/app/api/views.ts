import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ListQuery, RemoveBody, SaveBody, SavedView } from '../../../../src/portal/contract.ts';
import { useChange } from './changes.ts';
import { useMe } from './me.ts';
import { get, post } from './request.ts';

type ListName = SaveBody['list'];

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isView = (one: Partial<SavedView> | null): one is SavedView =>
  typeof one?.name === 'string' && typeof one.address === 'string' && isTexts(one.hidden);

/** Returns the views that an earlier version stored in this browser. */
function readStored(key: string): SavedView[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(value) ? value.filter(isView) : [];
  } catch {
    return [];
  }
}

/**
 * Moves the views that this browser stores to the account, once. Views of the same name that the account has stay as they
 * are, so that two tabs or browsers can do it at the same time. If it fails, the next visit does it.
 */
function useMoveStored(list: ListName) {
  const client = useQueryClient();
  const userId = useMe().data?.user.id;
  useEffect(() => {
    const key = `portal views ${list} ${userId}`;
    const stored = userId === undefined ? [] : readStored(key);
    if (stored.length === 0) return;
    const move = async () => {
      for (const { name, address, hidden } of stored) {
        await post<void, SaveBody>('/me/views', { list, name: name.slice(0, 60), address, hidden, keepExisting: true });
      }
      localStorage.removeItem(key);
      await client.invalidateQueries({ queryKey: ['views', list] });
    };
    move().catch(() => {});
  }, [client, list, userId]);
}

/** Fetches the views of a list that the user has saved in this company. */
export function useViews(list: ListName): readonly SavedView[] {
  useMoveStored(list);
  return (
    useQuery({
      queryKey: ['views', list],
      queryFn: ({ signal }) => get<SavedView[], ListQuery>('/me/views', { query: { list }, signal }),
    }).data ?? []
  );
}

export const useSaveView = () => useChange((body: SaveBody) => post<void, SaveBody>('/me/views', body), ['views']);

export const useRemoveView = (list: ListName) =>
  useChange((name: string) => post<void, RemoveBody>('/me/views/remove', { list, name }), ['views']);
