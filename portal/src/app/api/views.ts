import { useQuery } from '@tanstack/react-query';
import type { ListQuery, RemoveBody, SaveBody, SavedView } from '../../../../src/portal/contract.ts';
import { useChange } from './changes.ts';
import { usePost } from './queries.ts';
import { get, post } from './request.ts';

type ListName = SaveBody['list'];

/** Fetches the views of a list that the user has saved in this company. */
export const useViews = (list: ListName): readonly SavedView[] =>
  useQuery({
    queryKey: ['views', list],
    queryFn: ({ signal }) => get<SavedView[], ListQuery>('/me/views', { query: { list }, signal }),
  }).data ?? [];

export const useSaveView = () => usePost<void, SaveBody>('/me/views', ['views']);

export const useRemoveView = (list: ListName) =>
  useChange((name: string) => post<void, RemoveBody>('/me/views/remove', { list, name }), ['views']);
