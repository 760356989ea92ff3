import { useQuery } from '@tanstack/react-query';
import { useChange } from './changes.ts';
import {
  acceptInvitation,
  endSessions,
  getInvitation,
  invite,
  listUserKeys,
  listUsers,
  removeUser,
  setRole,
  withdrawInvitation,
} from './operations.gen.ts';
import type { AcceptInvitationBody, InviteBody, RemoveUserBody, SetRoleBody } from './types.gen.ts';

const touched = ['users', 'activity'];

export const useUsers = () => useQuery({ queryKey: ['users'], queryFn: ({ signal }) => listUsers(signal) });

export const useInvite = () => useChange((body: InviteBody) => invite(body), touched);

export const useWithdrawInvitation = () => useChange((id: number) => withdrawInvitation(id), touched);

export const useSetRole = () =>
  useChange(({ id, ...body }: SetRoleBody & { id: string }) => setRole(id, body), [...touched, 'me']);

/** Returns the keys that a user created or knows. Requests them again whenever the dialog opens. */
export const useUserKeys = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['user-keys', id],
    queryFn: ({ signal }) => listUserKeys(id, signal),
    enabled,
    staleTime: 0,
    gcTime: 0,
  });

export const useRemoveUser = () =>
  useChange(({ id, ...body }: RemoveUserBody & { id: string }) => removeUser(id, body), [...touched, 'keys']);

export const useEndSessions = () => useChange((id: string) => endSessions(id), touched);

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => getInvitation(token, signal),
    meta: { public: true },
    retry: false,
  });

export const useAcceptInvitation = (token: string) =>
  useChange((body: AcceptInvitationBody) => acceptInvitation(token, body), []);
