import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TimeTravel, TimeTravelBody, Travelled } from '../../../../src/features/daily-run/contract.ts';
import type { Me } from '../../../../src/portal/contract.ts';
import { useGet } from '../../app/api/queries.ts';
import { get, post } from '../../app/api/request.ts';

const mutationKey = ['time-travel'];

/** Resolves when every day up to the target is processed. All data that was read before is then outdated. */
export function useTimeTravel() {
  const client = useQueryClient();
  return useMutation({
    mutationKey,
    mutationFn: (body: TimeTravelBody) => post<Travelled, TimeTravelBody>('/time-travel', body),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Fetches the companies that time travel would move. */
export const useMovedCompanies = (enabled: boolean) =>
  useGet<TimeTravel>(['time-travel'], '/time-travel', { enabled, gcTime: 0 });

/** Returns the state of the last time travel, even if the user has left the page and returned. */
export const useTimeTravelState = () =>
  useMutationState({
    filters: { mutationKey },
    select: ({ state }) => ({
      status: state.status,
      to: (state.variables as TimeTravelBody).to,
      today: (state.data as { today: string } | undefined)?.today,
      error: state.error,
    }),
  }).at(-1);

/** Fetches the day that the time travel has reached. */
export const useTimeTravelDay = () =>
  useQuery({
    queryKey: ['time-travel-day'],
    queryFn: ({ signal }) => get<Me>('/me', { signal }),
    select: ({ today }) => today,
    refetchInterval: 700,
    gcTime: 0,
  }).data;
