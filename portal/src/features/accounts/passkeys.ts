import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  NewPasskeyBody,
  NewPasskeyOptions,
  Passkey,
  PasskeyBody,
  PasskeyOptions,
  Passkeys,
  SignInBody,
} from '../../../../src/features/accounts/contract.ts';
import { useChange, useGet } from '../../app/api/queries.ts';
import { at, post } from '../../app/api/request.ts';
import { createPasskey, findPasskey } from './authenticator.ts';

const touched = ['passkeys', 'me', 'activity'];

export const usePasskeys = () => useGet<Passkeys>(['passkeys'], '/auth/passkeys');

export const useAddPasskey = () =>
  useChange(
    async (name: string) =>
      post<Passkey, NewPasskeyBody>('/auth/passkeys', {
        name,
        passkey: await createPasskey(await post<NewPasskeyOptions>('/auth/passkeys/options')),
      }),
    touched,
  );

export const useRemovePasskey = () => useChange((id: string) => post<void>(at`/auth/passkeys/${id}/remove`), touched);

/** Signs in with a passkey, alone or after the password. */
export function useSignInWithPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (login: { email: string; password: string } | undefined) => {
      const passkey = await findPasskey(await post<PasskeyOptions>('/auth/sign-in/passkey/options'));
      await (login
        ? post<void, SignInBody>('/auth/sign-in/email', { ...login, passkey })
        : post<void, PasskeyBody>('/auth/sign-in/passkey', { passkey }));
    },
    onSuccess: () => client.clear(),
    meta: { public: true },
  });
}

export const useConfirmWithPasskey = () =>
  useMutation({
    mutationFn: async (_: undefined) =>
      post<void, PasskeyBody>('/auth/step-up/passkey', {
        passkey: await findPasskey(await post<PasskeyOptions>('/auth/step-up/passkey/options')),
      }),
  });
