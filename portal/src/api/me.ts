import { useQuery } from '@tanstack/react-query';
import { getMe } from './operations.gen.ts';
import type { Ability } from './types.gen.ts';

export function useMe() {
  return useQuery({ queryKey: ['me'], queryFn: ({ signal }) => getMe(signal), staleTime: 60_000 });
}

/** Returns whether this user may move the clock of the environment. */
export function useMayTravel(): boolean {
  const allowed = useMe().data?.timeTravel === true;
  return useAbility('time-travel') && allowed;
}

/** Returns whether the user's role allows the ability. The server checks it again. */
export function useAbility(ability: Ability): boolean {
  return useMe().data?.user.abilities.includes(ability) === true;
}
