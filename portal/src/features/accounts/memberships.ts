import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listMemberships, proveAddress, requestAddressProof, switchCompany } from '../../app/api/operations.gen.ts';

export const useMemberships = () =>
  useQuery({ queryKey: ['memberships'], queryFn: ({ signal }) => listMemberships(signal), staleTime: 300_000 });

/** Continues in another company. The whole page loads anew, so that nothing of the previous company stays on it. */
export const useSwitchCompany = () =>
  useMutation({
    mutationFn: (companyId: number) => switchCompany({ companyId }),
    onSuccess: () => window.location.assign('/'),
  });

export const useRequestAddressProof = () => useMutation({ mutationFn: () => requestAddressProof() });

export function useProveAddress() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => proveAddress(token),
    onSuccess: () => client.invalidateQueries({ queryKey: ['memberships'] }),
  });
}
