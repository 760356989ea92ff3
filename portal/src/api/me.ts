import { useQuery } from '@tanstack/react-query';
import { type Ability, isAble } from '../../../src/domain/roles.ts';
import type { Me } from '../../../src/portal/contract.ts';
import { read } from './request.ts';

export function useMe() {
  return useQuery({ queryKey: ['me'], queryFn: ({ signal }) => read<Me>('/me', { signal }), staleTime: 60_000 });
}

/** Returns whether this user may move the clock of the environment. */
export function useMayTravel(): boolean {
  const allowed = useMe().data?.timeTravel === true;
  return useAbility('time-travel') && allowed;
}

/** Returns whether the user's role allows the ability. The server checks it again. */
export function useAbility(ability: Ability): boolean {
  const role = useMe().data?.user.role;
  return role !== undefined && isAble(role, ability);
}
