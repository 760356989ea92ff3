import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  DomainBody,
  FinishSsoBody,
  Sso,
  SsoBody,
  StartedSso,
  StartSsoBody,
} from '../../../../../src/features/accounts/sso/contract.ts';
import { useChange } from '../../../app/api/changes.ts';
import { useGet, usePost } from '../../../app/api/queries.ts';
import { at, post, remove } from '../../../app/api/request.ts';

const touched = ['sso', 'activity'];

export const useSso = () => useGet<Sso>(['sso'], '/sso');

export const useUpdateSso = () => usePost<Sso, SsoBody>('/sso', touched);

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
