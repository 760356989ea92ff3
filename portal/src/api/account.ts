import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changePassword, revokeSessions, signIn, signOut } from './operations.gen.ts';
import type { SignInBody } from './types.gen.ts';

/** Signs in and clears all cached data, so that the next user at the same screen sees nothing of the previous one. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SignInBody) => signIn(body),
    onSuccess: () => client.clear(),
    meta: { public: true },
  });
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
