import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useChange } from '../../app/api/changes.ts';
import {
  addSecondFactor,
  changePassword,
  confirmSecondFactor,
  endSession,
  getMe,
  getNotices,
  getSecondFactor,
  listSessions,
  removeSecondFactor,
  renewRecoveryCodes,
  requestPasswordReset,
  resetPassword,
  revokeSessions,
  signIn,
  signOut,
  stepUp,
  switchNotice,
} from '../../app/api/operations.gen.ts';
import type { SignInBody } from '../../app/api/types.gen.ts';

/** Signs in and clears all cached data, so that the next user at the same screen sees nothing of the previous one. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SignInBody) => signIn(body),
    onSuccess: () => client.clear(),
    meta: { public: true },
  });
}

/** Returns whether the visitor of a public page is signed in already. */
export function useIsSignedIn(): boolean {
  const { isSuccess } = useQuery({
    queryKey: ['visitor'],
    queryFn: ({ signal }) => getMe(signal),
    retry: false,
    meta: { public: true },
  });
  return isSuccess;
}

/** Signs out on this device, or with `everywhere` on every device. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ everywhere }: { everywhere: boolean }) => (everywhere ? revokeSessions() : signOut()),
    onSuccess: () => client.clear(),
  });
}

export const useChangePassword = () =>
  useMutation({ mutationFn: (body: Parameters<typeof changePassword>[0]) => changePassword(body) });

export const useRequestPasswordReset = () =>
  useMutation({ mutationFn: (email: string) => requestPasswordReset({ email }), meta: { public: true } });

export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: Parameters<typeof resetPassword>[0]) => resetPassword(body),
    meta: { public: true },
  });

export const useConfirmIdentity = () => useMutation({ mutationFn: (credential: string) => stepUp({ credential }) });

const factor = ['second-factor', 'me', 'activity'];

export const useSecondFactor = () =>
  useQuery({ queryKey: ['second-factor'], queryFn: ({ signal }) => getSecondFactor(signal) });

export const useAddSecondFactor = () => useMutation({ mutationFn: (_: undefined) => addSecondFactor() });

export const useConfirmSecondFactor = () => useChange((code: string) => confirmSecondFactor({ code }), factor);

export const useRenewRecoveryCodes = () => useChange((_: undefined) => renewRecoveryCodes(), factor);

export const useRemoveSecondFactor = () => useChange((_: undefined) => removeSecondFactor(), factor);

export const useSessions = () => useQuery({ queryKey: ['sessions'], queryFn: ({ signal }) => listSessions(signal) });

export const useEndSession = () => useChange((id: string) => endSession(id), ['sessions', 'activity']);

export const useNotices = () => useQuery({ queryKey: ['notices'], queryFn: ({ signal }) => getNotices(signal) });

export const useSwitchNotice = () =>
  useChange((body: Parameters<typeof switchNotice>[0]) => switchNotice(body), ['notices']);
