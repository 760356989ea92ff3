import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Ability } from '../../../../src/domain/roles.ts';
import type { LanguageBody, Me } from '../../../../src/portal/contract.ts';
import { get, post } from './request.ts';

const me = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => get<Me>('/me', { signal }),
  staleTime: 60_000,
});

export const useMe = () => useQuery(me);

/** Returns what is known about the user, without a request: visitors of public pages may not be signed in. */
export const useKnownMe = () => useQuery({ ...me, enabled: false });

/** Returns whether this user may move the clock of the environment. */
export function useMayTravel(): boolean {
  const allowed = useMe().data?.timeTravel === true;
  return useAbility('time-travel') && allowed;
}

/** Returns whether the user's role allows the ability. The server checks it again. */
export function useAbility(ability: Ability): boolean {
  return useMe().data?.user.abilities.includes(ability) === true;
}

/**
 * Returns a function that keeps the language with the account of a signed-in user. It stays chosen on this device even
 * if the service cannot be reached.
 */
export function useKeepLanguage() {
  const client = useQueryClient();
  return (language: 'de' | 'en') => {
    const me = client.getQueryData<Me>(['me']);
    if (me === undefined) return;
    client.setQueryData<Me>(['me'], { ...me, user: { ...me.user, language } });
    post<void, LanguageBody>('/me/language', { language }).catch(() => {});
  };
}
