import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useChange } from '../../../app/api/changes.ts';
import {
  checkDomain,
  claimDomain,
  finishSso,
  getSso,
  removeDomain,
  removeSso,
  startSso,
  updateSso,
} from '../../../app/api/operations.gen.ts';
import type { FinishSsoBody, UpdateSsoBody } from '../../../app/api/types.gen.ts';

const touched = ['sso', 'activity'];

export const useSso = () => useQuery({ queryKey: ['sso'], queryFn: ({ signal }) => getSso(signal) });

export const useUpdateSso = () => useChange((body: UpdateSsoBody) => updateSso(body), touched);

export const useRemoveSso = () => useChange((_none: null) => removeSso(), touched);

export const useClaimDomain = () => useChange((domain: string) => claimDomain({ domain }), touched);

export const useCheckDomain = () => useChange((domain: string) => checkDomain(domain), touched);

export const useRemoveDomain = () => useChange((domain: string) => removeDomain(domain), touched);

/** Continues at the identity provider, if the domain of the address has one. */
export const useStartSso = () =>
  useMutation({
    mutationFn: (email: string) => startSso({ email }),
    onSuccess: ({ url }) => {
      if (url !== null) window.location.assign(url);
    },
    meta: { public: true },
  });

export function useFinishSso() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: FinishSsoBody) => finishSso(body),
    onSuccess: () => client.clear(),
    meta: { public: true },
  });
}
