import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { getMe, getTimeTravel, travel } from '../../app/api/operations.gen.ts';
import type { TravelBody } from '../../app/api/types.gen.ts';

const mutationKey = ['time-travel'];

/** Resolves when every day up to the target is processed. All data that was read before is then outdated. */
export function useTimeTravel() {
  const client = useQueryClient();
  return useMutation({
    mutationKey,
    mutationFn: (body: TravelBody) => travel(body),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Fetches the companies that time travel would move. */
export const useMovedCompanies = (enabled: boolean) =>
  useQuery({
    queryKey: ['time-travel'],
    queryFn: ({ signal }) => getTimeTravel(signal),
    enabled,
    gcTime: 0,
  });

/** Returns the state of the last time travel, even if the user has left the page and returned. */
export const useTimeTravelState = () =>
  useMutationState({
    filters: { mutationKey },
    select: ({ state }) => ({
      status: state.status,
      to: (state.variables as TravelBody).to,
      today: (state.data as { today: string } | undefined)?.today,
      error: state.error,
    }),
  }).at(-1);

/** Fetches the day that the time travel has reached. */
export const useTimeTravelDay = () =>
  useQuery({
    queryKey: ['time-travel-day'],
    queryFn: ({ signal }) => getMe(signal),
    select: ({ today }) => today,
    refetchInterval: 700,
    gcTime: 0,
  }).data;
