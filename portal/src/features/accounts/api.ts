import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  Memberships,
  SecondFactor,
  Session,
  StepUpBody,
  SwitchBody,
} from '../../../../src/features/accounts/contract.ts';
import type { Users } from '../../../../src/features/accounts/users/contract.ts';
import type { NoticeSettings } from '../../../../src/features/notices/contract.ts';
import { useGet } from '../../app/api/queries.ts';
import { post } from '../../app/api/request.ts';

/** Signs out on this device, or with `everywhere` on every device. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ everywhere }: { everywhere: boolean }) =>
      everywhere ? post<void>('/auth/revoke-sessions') : post<void>('/auth/sign-out'),
    onSuccess: () => client.clear(),
  });
}

export const useConfirmIdentity = () =>
  useMutation({ mutationFn: (credential: string) => post<void, StepUpBody>('/auth/step-up', { credential }) });

export const useSecondFactor = () => useGet<SecondFactor>(['second-factor'], '/auth/second-factor');

export const useMemberships = () => useGet<Memberships>(['memberships'], '/memberships', { staleTime: 300_000 });

/** Continues in another company. The whole page loads anew, so that nothing of the previous company stays on it. */
export const useSwitchCompany = () =>
  useMutation({
    mutationFn: (companyId: number) => post<void, SwitchBody>('/memberships/switch', { companyId }),
    onSuccess: () => window.location.assign('/'),
  });

export const useSessions = () => useGet<Session[]>(['sessions'], '/auth/sessions');

export const useNotices = () => useGet<NoticeSettings>(['notices'], '/me/notices');

export const useUsers = () => useGet<Users>(['users'], '/users');
