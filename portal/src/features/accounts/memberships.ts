import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Memberships, SwitchBody } from '../../../../src/features/accounts/contract.ts';
import { useGet } from '../../app/api/queries.ts';
import { at, post } from '../../app/api/request.ts';

export const useMemberships = () => useGet<Memberships>(['memberships'], '/memberships', { staleTime: 300_000 });

/** Continues in another company. The whole page loads anew, so that nothing of the previous company stays on it. */
export const useSwitchCompany = () =>
  useMutation({
    mutationFn: (companyId: number) => post<void, SwitchBody>('/memberships/switch', { companyId }),
    onSuccess: () => window.location.assign('/'),
  });

export const useRequestAddressProof = () => useMutation({ mutationFn: () => post<void>('/auth/prove-address') });

export function useProveAddress() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => post<void>(at`/auth/prove-address/${token}`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['memberships'] }),
  });
}
