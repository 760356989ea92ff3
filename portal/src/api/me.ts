import { useQuery } from '@tanstack/react-query';
import type { Me } from '../../../src/portal/contract.ts';
import { type Ability, isAble } from '../../../src/portal/roles.ts';
import { read } from './request.ts';

export function useMe() {
  return useQuery({ queryKey: ['me'], queryFn: ({ signal }) => read<Me>('/me', { signal }), staleTime: 60_000 });
}

/** Whether this person may move the clock of the environment. */
export function useMayTravel(): boolean {
  const allowed = useMe().data?.timeTravel === true;
  return useAbility('time-travel') && allowed;
}

/** Whether the person's role allows it; the server decides again. */
export function useAbility(ability: Ability): boolean {
  const role = useMe().data?.person.role;
  return role !== undefined && isAble(role, ability);
}
