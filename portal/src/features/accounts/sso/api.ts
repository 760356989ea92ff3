import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  DomainBody,
  FinishSsoBody,
  Sso,
  SsoBody,
  StartedSso,
  StartSsoBody,
} from '../../../../../src/features/accounts/sso/contract.ts';
import { useChange } from '../../../app/api/changes.ts';
import { at, get, post, remove } from '../../../app/api/request.ts';

const touched = ['sso', 'activity'];

export const useSso = () => useQuery({ queryKey: ['sso'], queryFn: ({ signal }) => get<Sso>('/sso', { signal }) });

export const useUpdateSso = () => useChange((body: SsoBody) => post<Sso, SsoBody>('/sso', body), touched);

export const useRemoveSso = () => useChange((_none: null) => remove('/sso'), touched);

export const useClaimDomain = () =>
  useChange((domain: string) => post<Sso, DomainBody>('/sso/domains', { domain }), touched);

export const useCheckDomain = () => useChange((domain: string) => post<Sso>(at`/sso/domains/${domain}/check`), touched);

export const useRemoveDomain = () => useChange((domain: string) => remove(at`/sso/domains/${domain}`), touched);

/** Continues at the identity provider, if the domain of the address has one. */
export const useStartSso = () =>
  useMutation({
    mutationFn: (email: string) => post<StartedSso, StartSsoBody>('/auth/sso/start', { email }),
    onSuccess: ({ url }) => {
      if (url !== null) window.location.assign(url);
    },
    meta: { public: true },
  });

export function useFinishSso() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: FinishSsoBody) => post<void, FinishSsoBody>('/auth/sso/finish', body),
    onSuccess: () => client.clear(),
    meta: { public: true },
  });
}
