import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChangePasswordBody, SignInBody } from '../../../src/portal/contract.ts';
import { request } from './request.ts';

const auth = (name: string, body?: object) => request<void>(`/auth/${name}`, { method: 'POST', body });

/** Signs in and clears all cached data, so that the next user at the same screen sees nothing of the previous one. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SignInBody) => auth('sign-in/email', body),
    onSuccess: () => client.clear(),
    meta: { public: true },
  });
}

/** Signs out on this device, or with `everywhere` on every device. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ everywhere }: { everywhere: boolean }) => auth(everywhere ? 'revoke-sessions' : 'sign-out'),
    onSuccess: () => client.clear(),
  });
}

export const useChangePassword = () =>
  useMutation({ mutationFn: (body: ChangePasswordBody) => auth('change-password', body) });
