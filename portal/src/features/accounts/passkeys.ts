import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useChange } from '../../app/api/changes.ts';
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  beginPasskeyStepUp,
  listPasskeys,
  removePasskey,
  signIn,
  signInWithPasskey,
  stepUpWithPasskey,
} from '../../app/api/operations.gen.ts';
import { createPasskey, findPasskey } from './authenticator.ts';

const touched = ['passkeys', 'me', 'activity'];

export const usePasskeys = () => useQuery({ queryKey: ['passkeys'], queryFn: ({ signal }) => listPasskeys(signal) });

export const useAddPasskey = () =>
  useChange(async (name: string) => addPasskey({ name, passkey: await createPasskey(await beginPasskey()) }), touched);

export const useRemovePasskey = () => useChange((id: string) => removePasskey(id), touched);

/** Signs in with a passkey, alone or after the password. */
export function useSignInWithPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (login: { email: string; password: string } | undefined) => {
      const passkey = await findPasskey(await beginPasskeySignIn());
      await (login ? signIn({ ...login, passkey }) : signInWithPasskey({ passkey }));
    },
    onSuccess: () => client.clear(),
    meta: { public: true },
  });
}

export const useConfirmWithPasskey = () =>
  useMutation({
    mutationFn: async (_: undefined) => stepUpWithPasskey({ passkey: await findPasskey(await beginPasskeyStepUp()) }),
  });
