import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { get, type Page, post, type Query } from './request.ts';

type Options<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'>;

/** Fetches what the API has at a path. */
export const useGet = <Data>(queryKey: QueryKey, path: string, options: Options<Data> = {}) =>
  useQuery<Data>({ queryKey, queryFn: ({ signal }) => get<Data>(path, { signal }), ...options });

/** Fetches one page of a list. The page before stays until it has arrived. */
export const useGetPage = <Row, Parameters>(
  queryKey: QueryKey,
  path: string,
  query: Query<Parameters>,
  options: Options<Page<Row>> = {},
) =>
  useQuery<Page<Row>>({
    queryKey: [...queryKey, query],
    queryFn: ({ signal }) => get<Page<Row>, Parameters>(path, { query, signal }),
    placeholderData: keepPreviousData,
    ...options,
  });

/**
 * Runs a change, then refetches everything that it may have touched. `touches` lists the first words of the query keys.
 */
export function useChange<Input, Output>(change: (input: Input) => Promise<Output>, touches: readonly string[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Some responses are secrets, so nothing of them is stored after the form is closed.
    gcTime: 0,
    onSuccess: () => Promise.all(touches.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  });
}

/** Posts its input, then refetches what it may have touched. */
export const usePost = <Data, Body>(path: string, touches: readonly string[]) =>
  useChange((body: Body) => post<Data, unknown>(path, body), touches);
