import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  ChangePasswordBody,
  ConfirmFactorBody,
  NewSecondFactor,
  RecoveryCodes,
  RequestBody,
  ResetBody,
  SecondFactor,
  Session,
  StepUpBody,
} from '../../../../src/features/accounts/contract.ts';
import type { NoticeSettings, NoticeSwitch } from '../../../../src/features/notices/contract.ts';
import { useChange } from '../../app/api/changes.ts';
import { useGet, usePost } from '../../app/api/queries.ts';
import { at, post } from '../../app/api/request.ts';

/** Signs out on this device, or with `everywhere` on every device. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ everywhere }: { everywhere: boolean }) =>
      everywhere ? post<void>('/auth/revoke-sessions') : post<void>('/auth/sign-out'),
    onSuccess: () => client.clear(),
  });
}

export const useChangePassword = () =>
  useMutation({
    mutationFn: (body: ChangePasswordBody) => post<void, ChangePasswordBody>('/auth/change-password', body),
  });

export const useRequestPasswordReset = () =>
  useMutation({
    mutationFn: (email: string) => post<void, RequestBody>('/auth/request-password-reset', { email }),
    meta: { public: true },
  });

export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: ResetBody) => post<void, ResetBody>('/auth/reset-password', body),
    meta: { public: true },
  });

export const useConfirmIdentity = () =>
  useMutation({ mutationFn: (credential: string) => post<void, StepUpBody>('/auth/step-up', { credential }) });

const factor = ['second-factor', 'me', 'activity'];

export const useSecondFactor = () => useGet<SecondFactor>(['second-factor'], '/auth/second-factor');

export const useAddSecondFactor = () =>
  useMutation({ mutationFn: (_: undefined) => post<NewSecondFactor>('/auth/second-factor') });

export const useConfirmSecondFactor = () =>
  useChange((code: string) => post<RecoveryCodes, ConfirmFactorBody>('/auth/second-factor/confirm', { code }), factor);

export const useRenewRecoveryCodes = () =>
  useChange((_: undefined) => post<RecoveryCodes>('/auth/second-factor/recovery-codes'), factor);

export const useRemoveSecondFactor = () =>
  useChange((_: undefined) => post<void>('/auth/second-factor/remove'), factor);

export const useSessions = () => useGet<Session[]>(['sessions'], '/auth/sessions');

export const useEndSession = () =>
  useChange((id: string) => post<void>(at`/auth/sessions/${id}/end`), ['sessions', 'activity']);

export const useNotices = () => useGet<NoticeSettings>(['notices'], '/me/notices');

export const useSwitchNotice = () => usePost<void, NoticeSwitch>('/me/notices', ['notices']);
