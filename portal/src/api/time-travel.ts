import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { getMe, getTimeTravel, travel } from './operations.gen.ts';
import type { TravelBody } from './types.gen.ts';

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

/** Returns the state of the last journey, even if the user has left the page and returned. */
export const useJourney = () =>
  useMutationState({
    filters: { mutationKey },
    select: ({ state }) => ({
      status: state.status,
      to: (state.variables as TravelBody).to,
      today: (state.data as { today: string } | undefined)?.today,
      error: state.error,
    }),
  }).at(-1);

/** Fetches the day that a journey has reached. */
export const useTravellersDay = () =>
  useQuery({
    queryKey: ['travellers-day'],
    queryFn: ({ signal }) => getMe(signal),
    select: ({ today }) => today,
    refetchInterval: 700,
    gcTime: 0,
  }).data;
